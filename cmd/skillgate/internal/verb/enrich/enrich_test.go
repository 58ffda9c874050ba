package enrich

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func home(t *testing.T) *apptest.Home {
	t.Helper()
	h := apptest.New(t)
	for name, description := range map[string]string{
		"kettle": "Boils water. Use when the user asks for hot water.",
		"teapot": "Holds tea for guests. Use when the user asks to serve tea.",
	} {
		text := "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n\n1. Begin.\n"
		h.Write(t, filepath.Join(h.Dir, ".claude", "skills", name, "SKILL.md"), text, 0o600)
	}
	return h
}

func TestWrongUsage(t *testing.T) {
	h := home(t)
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"a provider that nobody knows", `unknown provider "oracle"`, []string{"--provider", "oracle"}},
		{"openai without a place", "openai needs --base-url and --model", []string{"--provider", "openai", "--model", "m"}},
		{"openai without a model", "openai needs --base-url and --model", []string{"--provider", "openai", "--base-url", "http://localhost:1/v1"}},
		{"less than no skills", "--limit must be 0 or more, not -1", []string{"--limit", "-1", "--dry-run"}},
		{"a language without words", "klingon", []string{"--languages", "klingon", "--dry-run"}},
		{"no client", "or use --provider openai", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code, message := h.Status(New(h.App), tt.args...); code != 3 || !strings.Contains(message, tt.want) {
				t.Errorf("enrich %v ends with %d and %q, want 3 and %q", tt.args, code, message, tt.want)
			}
		})
	}
}

func TestDryRunAsksNothing(t *testing.T) {
	h := home(t)
	out, err := h.Run(New(h.App), "--dry-run", "--json")
	require.NoError(t, err)
	var r report
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	if len(r.Skills) != 2 || r.Estimate.Requests != 1 || r.Estimate.In == 0 || r.USD == nil || r.Run != nil {
		t.Errorf("the dry run says %s, want two skills in one request with a price", out)
	}
	_, err = os.Stat(filepath.Join(h.State, "enrichment.jsonl"))
	assert.Error(t, err, "the dry run has written a store")
	out, err = h.Run(New(h.App), "--dry-run", "--only", "ket*")
	require.NoError(t, err)
	assert.Contains(t, out, "about 1 skill: 1 request")
}
