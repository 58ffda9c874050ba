package gate

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestImportsPointOneWay keeps the arrows between the rooms as gate/README.md draws them.
func TestImportsPointOneWay(t *testing.T) {
	const module = "github.com/skillgate/skillgate/"
	tests := []struct {
		room  string
		files int // at least so many are read
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
			files := 0
			err := filepath.WalkDir(filepath.Join("..", tt.room), func(path string, d fs.DirEntry, err error) error {
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
					for _, above := range tt.above {
						if name == module+above || strings.HasPrefix(name, module+above+"/") {
							t.Errorf("%s imports %s", path, name)
						}
					}
				}
				return nil
			})
			if err != nil || files < tt.files {
				t.Errorf("read %d files, error %v, want at least %d files", files, err, tt.files)
			}
		})
	}
}
