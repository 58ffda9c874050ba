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

// TestGateImportsNoHost keeps the arrows one way: hooks and commands import the packages
// of the gate, which know neither.
func TestGateImportsNoHost(t *testing.T) {
	const module = "github.com/skillgate/skillgate/"
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
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
			for _, above := range []string{"hooks", "cmd"} {
				if name == module+above || strings.HasPrefix(name, module+above+"/") {
					t.Errorf("%s imports %s", path, name)
				}
			}
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("read %d files, error %v", files, err)
	}
}
