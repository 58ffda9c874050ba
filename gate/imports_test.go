package gate

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestImportsPointOneWay(t *testing.T) {
	tests := []struct {
		room  string
		files int // least number of files that are read
		above []string
	}{
		{"hooks", 15, []string{"cmd"}},
		{"gate", 200, []string{"hooks", "cmd"}},
		{"triage", 10, []string{"gate", "hooks", "cmd"}},
		{"synonyms", 30, []string{"triage", "gate", "hooks", "cmd"}},
		{"synonyms/lang", 10, []string{"synonyms/source", "synonyms/terms", "triage", "gate", "hooks", "cmd"}},
	}
	for _, tt := range tests {
		t.Run(tt.room, func(t *testing.T) {
			files := eachImport(t, filepath.Join("..", tt.room), func(path, name string) {
				for _, above := range tt.above {
					require.NotEqual(t, module+above, name, path)
					assert.False(t, strings.HasPrefix(name, module+above+"/"), path)
				}
			})
			assert.GreaterOrEqual(t, files, tt.files)
		})
	}
}

// The folders below gate do not import each other in a circle. A subfolder that
// imports its parent counts as a folder of its own.
func TestFoldersOfGatePointOneWay(t *testing.T) {
	apart := []string{"journal/otlp", "journal/store", "lint/job"}
	folder := func(pkg string) string {
		pkg = strings.TrimPrefix(strings.TrimPrefix(pkg, "gate"), "/")
		if slices.Contains(apart, pkg) {
			return pkg
		}
		first, _, _ := strings.Cut(pkg, "/")
		return first // "" for gate itself
	}
	below := map[string]map[string]string{} // by folder: an importing file by imported folder
	eachImport(t, ".", func(path, name string) {
		name, ours := strings.CutPrefix(name, module)
		if !ours || name != "gate" && !strings.HasPrefix(name, "gate/") {
			return
		}
		from, to := folder(strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), ".")), folder(name)
		if below[from] == nil {
			below[from] = map[string]string{}
		}
		if from != to {
			below[from][to] = path
		}
	})
	require.GreaterOrEqual(t, len(below), 20)
	done := map[string]bool{}
	var visit func(room string, way []string)
	visit = func(room string, way []string) {
		if i := slices.Index(way, room); i >= 0 {
			t.Fatalf("the folders gate/%s import each other in a circle", strings.Join(append(way[i:], room), " → gate/"))
		}
		if done[room] {
			return
		}
		for to := range below[room] {
			visit(to, append(slices.Clone(way), room))
		}
		done[room] = true
	}
	for room := range below {
		visit(room, nil)
	}
}

const module = "github.com/skillgate/skillgate/"

func eachImport(t *testing.T, dir string, fn func(path, name string)) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			fn(path, name)
		}
		return nil
	})
	must(t, err)
	return files
}
