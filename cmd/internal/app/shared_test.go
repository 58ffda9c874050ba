package app_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/workspace"
)

func TestPaths(t *testing.T) {
	h := apptest.New(t)
	for path, want := range map[string]string{"a/../b": filepath.Join(h.Cwd, "b"), "/x//y/": "/x/y", ".": h.Cwd} {
		if got := h.Absolute(path); got != want {
			t.Errorf("Absolute(%s) = %s, want %s", path, got, want)
		}
	}
	for file, want := range map[string]string{filepath.Join(h.Cwd, "a", "b"): "a/b", "/etc/x": "/etc/x", h.Cwd: "."} {
		if got := h.Display(file); got != want {
			t.Errorf("Display(%s) = %s, want %s", file, got, want)
		}
	}
}

func TestWriteShared(t *testing.T) {
	h := apptest.New(t)
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	file := filepath.Join(h.Cwd, "page.html")
	for _, text := range []string{"old", "new"} {
		if err := h.WriteShared("page.html", write(text)); err != nil || h.Read(t, file) != text {
			t.Fatalf("WriteShared: %v, the file holds %q", err, h.Read(t, file))
		}
	}
	if fi, err := os.Stat(file); err != nil || fi.Mode().Perm()&0o044 == 0 {
		t.Errorf("a file that is meant to be passed on has the mode %v", fi.Mode())
	}
	failed := func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return errors.New("cut") }
	if err := h.WriteShared("page.html", failed); err == nil || h.Read(t, file) != "new" {
		t.Errorf("a failed write ends with %v and leaves %q", err, h.Read(t, file))
	}
}

// Without a terminal there is no bar, no colour and no width.
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
		if got := app.Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
	if got := app.Percent(.0625); got != "6.2%" {
		t.Errorf("Percent(.0625) = %s", got)
	}
}

// Errors of what is opened name the next step.
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
		"a library that is not there": {noLibrary, "want a folder of skills"},
		"a folder without skills":     {noSkills, "a skill is a folder with a SKILL.md"},
		"a broken dictionary":         {badWords, "`skillgate doctor` reads"},
		"the same, read":              {badText, "`skillgate doctor` reads"},
	} {
		exit := (*app.Error)(nil)
		if !errors.As(app.OpenError(tt.err), &exit) || !strings.Contains(exit.Hint, tt.want) {
			t.Errorf("%s: %v, want the hint %q", name, tt.err, tt.want)
		}
	}
	if app.OpenError(nil) != nil {
		t.Error("no error becomes one")
	}
	if text, err := workspace.ReadDictText(filepath.Join(h.Dir, "none.yaml")); err != nil || len(text) != 0 {
		t.Errorf("a dictionary that is not there reads %q, %v", text, err)
	}
}
