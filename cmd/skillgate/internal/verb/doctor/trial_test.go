package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/hooks"
)

func TestStart(t *testing.T) {
	tests := []struct {
		name, script string
		want         string // part of the error of check
	}{
		{"answer", `cat >/dev/null; echo '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}'`, ""},
		{"silence", "cat >/dev/null", ""},
		{"state folder of its own", `test -d "$XDG_STATE_HOME" && test "$XDG_STATE_HOME" != "$HOME"`, ""},
		{"failure", "echo broken >&2; exit 7", "exit status 7 instead of 0: broken"},
		{"killed", "kill -9 $$", "signal: killed"},
		{"hangs", "sleep 60", "did not exit within 300ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			binary := filepath.Join(dir, "skillgate")
			if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			c := trialCommand{[]string{binary, "hook"}, time.Minute}
			if tt.name == "hangs" {
				c.Timeout = 300 * time.Millisecond
			}
			r := c.start(t.Context(), dir, os.Environ(), "{}")
			if got := r.check(&hooks.Claude); tt.want == "" && got != nil || tt.want != "" && (got == nil || !strings.Contains(got.Error(), tt.want)) {
				t.Errorf("run of %q: %v, want %q", tt.script, got, tt.want)
			}
		})
	}
}
