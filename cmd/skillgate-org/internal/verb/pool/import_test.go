package pool

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
)

func TestSkillInAnother(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"outer/SKILL.md": "---\nname: outer\n---\n", "outer/notes/a.txt": "a", "outer/.hidden": "h",
		"outer/notes/deep/skill.md": "---\nname: deep\n---\n", "outer/notes/deep/x/run.sh": "r",
	} {
		file = filepath.Join(dir, file)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	got := map[string][]string{}
	for k, err := range Skills(t.Context(), []string{dir}, "") {
		require.NoError(t, err)
		got[k.Name] = []string{}
		for _, f := range k.Files {
			got[k.Name] = append(got[k.Name], f.Path)
		}
	}
	if len(got) != 2 || !slices.Equal(got["outer"], []string{"notes/a.txt"}) || !slices.Equal(got["deep"], []string{"x/run.sh"}) {
		t.Errorf("the skills have the files %q", got)
	}
}

func TestSkillsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"good/SKILL.md": "---\nname: good\n---\n", "large/SKILL.md": "---\nname: large\n---\n", "large/a.bin": strings.Repeat("x", maxBytes+1),
		"lines.jsonl": `{"id":"a","name":"a","description":"x"}` + "\n{\n" + `{"id":"b","name":"b","description":"x"}` + "\n",
	} {
		file = filepath.Join(dir, file)
		require.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)))
	}
	var names, refused []string
	for k, err := range Skills(t.Context(), []string{filepath.Join(dir, "lines.jsonl"), dir}, "") {
		var r *truth.Refusal
		switch {
		case errors.As(err, &r):
			refused = append(refused, r.Error())
		case err != nil:
			t.Fatal(err)
		default:
			names = append(names, k.Name)
		}
	}
	assert.Equal(t, []string{"a", "b", "good"}, names)
	if len(refused) != 2 || !strings.Contains(refused[0], "lines.jsonl:2") || !strings.Contains(refused[1], filepath.Join("large", "SKILL.md")) {
		t.Errorf("refused: %q", refused)
	}
}
