package synonyms

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks"
)

type synonymsEnv struct {
	*apptest.Home
	file string // the user's dictionary
}

func newSynonymsEnv(t *testing.T) *synonymsEnv {
	j := apptest.New(t)
	now := time.Now()
	j.Now = func() time.Time { return now }
	d, err := dirs.FromEnv(j.Getenv, hooks.Places)
	require.NoError(t, err)
	return &synonymsEnv{j, workspace.DictFile(d)}
}

func (s *synonymsEnv) synonyms(args ...string) (string, error) {
	return s.Run(New(s.App), args...)
}

func (s *synonymsEnv) write(t *testing.T, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(s.file), 0o700))
	require.NoError(t, os.WriteFile(s.file, []byte(text), 0o600))
}

func TestSynonymsAddKeepsComments(t *testing.T) {
	s := newSynonymsEnv(t)
	s.write(t, "# words of our team\nkorean:\n  맷돌: {en: [millstone]} # old\n")
	out, err := s.synonyms("add", "떡메", "mallet", "rice hammer", "--also", "떡 메")
	require.NoError(t, err)
	assert.Contains(t, out, s.file+": 떡메 = mallet, rice hammer")
	text, err := os.ReadFile(s.file)
	require.NoError(t, err)
	for _, want := range []string{"# words of our team\n", "맷돌: {en: [millstone]} # old\n", "떡메: {en: [mallet, rice hammer], also: [떡 메]}\n"} {
		assert.Contains(t, string(text), want)
	}
	if fi, err := os.Stat(s.file); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v, want 0600", fi.Mode(), err)
	}
}

func TestSynonymsAddRefuses(t *testing.T) {
	tests := []struct {
		name, before string
		args         []string
		hint         string
	}{
		{"four senses", "", []string{"떡메", "one", "two", "three", "four"}, "enter a noun (without a particle)"},
		{"a headword in English", "", []string{"mallet", "hammer"}, "enter a noun (without a particle)"},
		{"a file with a word given twice", "korean:\n  맷돌: {en: [mill]}\n  맷 돌: {en: [mill]}\n",
			[]string{"떡메", "mallet"}, "correct the file, then check it with"},
		{"a file that is no YAML", "korean: [\n", []string{"떡메", "mallet"}, "correct the file first"},
		{"a file with its words in braces", "korean: {맷돌: {en: [mill]}}\n", []string{"떡메", "mallet"},
			"correct the file first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSynonymsEnv(t)
			if tt.before != "" {
				s.write(t, tt.before)
			}
			out, err := s.synonyms(append([]string{"add"}, tt.args...)...)
			exit := (*app.Error)(nil)
			if !errors.As(app.OpenError(err), &exit) || !strings.HasPrefix(exit.Hint, tt.hint) {
				t.Errorf("synonyms add %q printed %q, %v, want an error with the hint %q", tt.args, out, err, tt.hint)
			}
			text, _ := os.ReadFile(s.file)
			assert.Equal(t, tt.before, string(text), "synonyms add %q left %q, want %q", tt.args, text, tt.before)
		})
	}
}

func TestSynonymsAddThroughASymbolicLink(t *testing.T) {
	s := newSynonymsEnv(t)
	s.write(t, "")
	shared := filepath.Join(t.TempDir(), "shared.yaml")
	require.NoError(t, os.Rename(s.file, shared))
	require.NoError(t, os.Symlink(shared, s.file))
	_, err := s.synonyms("add", "떡메", "mallet")
	require.NoError(t, err)
	if text, err := os.ReadFile(shared); err != nil || !strings.Contains(string(text), "떡메") {
		t.Errorf("the linked file is %q, %v, want the new entry in it", text, err)
	}
}

func TestSynonymsAddSaysWhatItReplaces(t *testing.T) {
	s := newSynonymsEnv(t)
	out, err := s.synonyms("add", "배포", "hand out")
	require.NoError(t, err)
	assert.Contains(t, out, "your entry replaces the built-in senses: deploy")
}
