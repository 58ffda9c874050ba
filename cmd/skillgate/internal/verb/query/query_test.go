package query

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
)

func TestFlags(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want Options
		code int
	}{
		{"words of a prompt", []string{"make", "a", "deck"}, Options{Prompt: "make a deck"}, 0},
		{"all flags", []string{"--json", "--explain", "--k", "7", "--library", "a", "--library", "b", "--enrichment", "x", "deck"},
			Options{Prompt: "deck", JSON: true, Explain: true, K: 7, Libraries: []string{"a", "b"}, Enrichment: "x"}, 0},
		{"a prompt that looks like a flag", []string{"--", "--json"}, Options{Prompt: "--json"}, 0},
		{"no prompt", nil, Options{}, 3},
		{"a negative number", []string{"--k", "-1", "deck"}, Options{}, 3},
		{"expansions of no library", []string{"--enrichment", "x", "deck"}, Options{}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.New(t)
			var got Options
			run := func(_ context.Context, o *Options) error {
				got = *o
				got.App = nil
				return nil
			}
			code, msg := h.Status(New(h.App, run), tt.args...)
			if code != tt.code || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("query %q = %d, %s, options %+v, want %d, %+v", tt.args, code, msg, got, tt.code, tt.want)
			}
		})
	}
}

func TestQueryReadsStandardInput(t *testing.T) {
	h := apptest.New(t)
	h.Write(t, filepath.Join(h.Dir, "shelf", "kites", "SKILL.md"), "---\nname: kites\ndescription: Builds kites from paper and bamboo.\n---\n# Kites\n", 0o600)
	h.Stdin = strings.NewReader("build a kite from bamboo")
	out, err := h.Run(New(h.App, nil), "--json", "--library", filepath.Join(h.Dir, "shelf"), "-")
	var d gate.Decision
	if err != nil || json.Unmarshal([]byte(out), &d) != nil || len(d.Candidates) != 1 || d.Candidates[0].Name != "kites" {
		t.Errorf("query - = %v, %s, want the skill kites", err, out)
	}
}
