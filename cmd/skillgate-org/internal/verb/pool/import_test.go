package pool

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A skill in the folder of another is one of its own, and not among the files of the other.
func TestSkillInAnother(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"outer/SKILL.md": "---\nname: outer\n---\n", "outer/notes/a.txt": "a", "outer/.hidden": "h",
		"outer/notes/deep/skill.md": "---\nname: deep\n---\n", "outer/notes/deep/x/run.sh": "r",
	} {
		file = filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string][]string{}
	for k, err := range Skills(t.Context(), []string{dir}, "") {
		if err != nil {
			t.Fatal(err)
		}
		got[k.Name] = []string{}
		for _, f := range k.Files {
			got[k.Name] = append(got[k.Name], f.Path)
		}
	}
	if len(got) != 2 || !slices.Equal(got["outer"], []string{"notes/a.txt"}) || !slices.Equal(got["deep"], []string{"x/run.sh"}) {
		t.Errorf("the skills have the files %q", got)
	}
}
