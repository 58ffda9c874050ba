package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

// A clone must not stop a command by its settings.
func TestSettings(t *testing.T) {
	tests := []struct {
		name, user, project string
		fails               bool
		note                string
	}{
		{"all right", "top_k: 2\n", "agents_k: 0\n", false, ""},
		{"a wrong key of the user", "top_k: 2\nnonsense: 1\n", "", true, ""},
		{"a wrong key of the project", "top_k: 2\n", "nonsense: 1\n", false, "nonsense cannot be set by a project"},
		{"a wrong value of the project", "top_k: 2\n", "agents_k: 99\n", false, "agents_k is 99"},
		{"a project's file that is not YAML", "top_k: 2\n", "[\n", false, "skillgate.yaml"},
		{"a control character of the project", "top_k: 2\n", "\"a\\e[2J\": 1\n", false, "cannot be set by a project"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.NewInProject(t)
			d, err := h.App.Places()
			if err != nil {
				t.Fatal(err)
			}
			h.Write(t, filepath.Join(d.Config, "skillgate.yaml"), tt.user, 0o600)
			h.Write(t, filepath.Join(h.App.Cwd, ".claude", "skillgate.yaml"), tt.project, 0o600)
			s, err := h.App.Settings(d)
			if (err != nil) != tt.fails || s.TopK != 2 {
				t.Errorf("Settings: top_k %d, %v, want 2 and an error: %t", s.TopK, err, tt.fails)
			}
			note := h.Err.String()
			if !strings.Contains(note, tt.note) || (note == "") != (tt.note == "") || strings.Contains(note, "\x1b") {
				t.Errorf("Settings notes %q, want %q", note, tt.note)
			}
		})
	}
}
