package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/catalog"
)

func TestBenign(t *testing.T) {
	files, err := filepath.Glob("testdata/benign/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			var e Example
			for _, f := range archive.Files {
				e.Files = append(e.Files, ExampleFile{f.Name, string(f.Data)})
			}
			l := library(t, e)
			l.Languages = Spoken(Descriptions(l.Skills), nil)
			res := Run(l, Options{})
			for _, f := range res.Findings {
				if f.Severity >= Warning {
					t.Errorf("%s: %s:%d: %s\n%s", f.Rule, f.Path, f.Line, f.Text, f.Excerpt)
				}
			}
			for _, s := range res.Skills {
				assert.LessOrEqual(t, s.Risk, float64(0.05), s.Name)
			}
		})
	}
}

// A monorepo shares its skills with other hosts by links. Each skill is checked once, at its real path.
func TestBenignLinks(t *testing.T) {
	l := library(t, Example{Files: []ExampleFile{{"skills/forms/SKILL.md", page("forms", "Fills in forms. Use when the user says \"fill in this form\".")}}})
	top := strings.TrimSuffix(l.Skills[0].Path, "/skills/forms/SKILL.md")
	for _, host := range []string{".agents", ".claude"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, host), 0o700))
		require.NoError(t, os.Symlink("../skills", filepath.Join(top, host, "skills")))
	}
	skills, errs := Load(t.Context(), []catalog.Root{catalog.LibraryRoot(top)}, func(p string) string { return strings.TrimPrefix(p, top+"/") })
	if len(skills) != 1 || skills[0].Src.Path != "skills/forms/SKILL.md" || len(errs) > 0 {
		t.Errorf("Load() = %d skills, the first %s, %v, want skills/forms/SKILL.md alone", len(skills), skills[0].Src.Path, errs)
	}
}
