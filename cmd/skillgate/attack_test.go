package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Whatever grows in what the hook reads, its decision is in the log.
func TestEveryDecisionLeavesALine(t *testing.T) {
	long := strings.Repeat("x", 900_000)
	tests := []struct {
		name    string
		files   map[string]string // of the home folder
		payload string
		short   []string
	}{
		{"unknown keys in a project's settings", map[string]string{"cloned/.claude/skillgate.yaml": numbered(1_000, "no_such_key_%d: 1\n")}, "", nil},
		{"plugins that are gone", map[string]string{".claude/plugins/installed_plugins.json": `{"plugins":{` + numbered(3_000, `"p%d@m":{"installPath":"/nowhere/to/be/found"},`) + `"p@m":{}}}`}, "", []string{"notes"}},
		{"the session's id", nil, fmt.Sprintf(`{"prompt":%q,"session_id":%q}`, securityPrompt, long), []string{"session"}},
		{"the folder", nil, fmt.Sprintf(`{"prompt":%q,"cwd":"/%s"}`, securityPrompt, long), []string{"cwd"}},
		{"the transcript", nil, fmt.Sprintf(`{"prompt":%q,"transcript_path":"/%s"}`, securityPrompt, long), []string{"transcript"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newSandbox(t)
			m.index()
			for file, text := range tt.files {
				m.write(filepath.Join(m.home, file), text)
			}
			payload := tt.payload
			if payload == "" {
				payload = m.inRepository(nil, "")
			}
			if r := m.hook(payload); !strings.Contains(r.stdout, "pr-security-review") {
				t.Errorf("hook answered %q", r.stdout)
			}
			records := m.logged()
			if len(records) != 1 || !slices.Equal(records[0].Short, tt.short) {
				t.Errorf("hook logged %d lines, %.300v; want one that says that %q were cut", len(records), records, tt.short)
			}
		})
	}
}
