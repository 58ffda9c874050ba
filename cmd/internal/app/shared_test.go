package app_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/workspace"
)

func TestPaths(t *testing.T) {
	h := apptest.New(t)
	for path, want := range map[string]string{"a/../b": filepath.Join(h.Cwd, "b"), "/x//y/": "/x/y", ".": h.Cwd} {
		assert.Equal(t, want, h.Absolute(path), path)
	}
	for file, want := range map[string]string{filepath.Join(h.Cwd, "a", "b"): "a/b", "/etc/x": "/etc/x", h.Cwd: "."} {
		assert.Equal(t, want, h.Display(file), file)
	}
}

func TestWriteShared(t *testing.T) {
	h := apptest.New(t)
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	file := filepath.Join(h.Cwd, "page.html")
	for _, text := range []string{"old", "new"} {
		require.NoError(t, h.WriteShared("page.html", write(text)))
		require.Equal(t, text, h.Read(t, file))
	}
	if fi, err := os.Stat(file); err != nil || fi.Mode().Perm()&0o044 == 0 {
		t.Errorf("a file that is meant to be passed on has the mode %v", fi.Mode())
	}
	failed := func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return errors.New("cut") }
	require.Error(t, h.WriteShared("page.html", failed))
	assert.Equal(t, "new", h.Read(t, file))
}

func TestWithoutATerminal(t *testing.T) {
	h := apptest.New(t)
	bar := h.Progress("asking", false)
	bar.Set(1, 2)
	bar.Done()
	if h.Err.Len() != 0 || h.Columns() != 0 || h.Colours(h.Stdout) != nil {
		t.Errorf("it prints %q, %d columns, colour %v", h.Err.String(), h.Columns(), h.Colours(h.Stdout) != nil)
	}
}

func TestVisibleAndPercent(t *testing.T) {
	for text, want := range map[string]string{"a\n b\t c": "a b c", "\x1b[2Jx": "[2Jx", "양식\u202e!": "양식 !", "": ""} {
		assert.Equal(t, want, app.Visible(text), text)
	}
	assert.Equal(t, "6.2%", app.Percent(.0625))
}

func TestOpenErrors(t *testing.T) {
	h := apptest.New(t)
	broken := apptest.File(t, "synonyms.yaml", "korean: [\n")
	_, noLibrary := h.OpenHere(t.Context(), []string{filepath.Join(h.Dir, "none")})
	_, noSkills := h.OpenHere(t.Context(), []string{h.Project})
	_, badWords := workspace.CompileDict(broken)
	_, badText := workspace.ReadDict(broken)
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"a library that is not there": {noLibrary, "give a folder of skills"},
		"a folder without skills":     {noSkills, "a skill is a folder with a SKILL.md"},
		"a broken dictionary":         {badWords, "check it with `skillgate doctor`"},
		"the same, read":              {badText, "check it with `skillgate doctor`"},
	} {
		exit := (*app.Error)(nil)
		if !errors.As(app.OpenError(tt.err), &exit) || !strings.Contains(exit.Hint, tt.want) {
			t.Errorf("%s: %v, want the hint %q", name, tt.err, tt.want)
		}
	}
	assert.NoError(t, app.OpenError(nil), "no error becomes one")
	if text, err := workspace.ReadDictText(filepath.Join(h.Dir, "none.yaml")); err != nil || len(text) != 0 {
		t.Errorf("a dictionary that is not there reads %q, %v", text, err)
	}
}
