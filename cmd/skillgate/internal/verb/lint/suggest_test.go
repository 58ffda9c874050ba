package lint

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/lint"
)

type endpoint struct {
	*httptest.Server
	description string
	requests    []string
	busy        int      // number of requests to refuse with "try again"
	bodies      []string // bodies of the accepted requests
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{requests: []string{"the money in the register is off", "why is cash missing tonight",
		"register short by ten", "add up tonights takings"}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/v1/chat/completions" {
			http.NotFound(w, r)
			return
		}
		if e.busy--; e.busy >= 0 {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		e.bodies = append(e.bodies, string(body))
		answer, _ := json.Marshal(map[string]string{"description": e.description})
		if strings.Contains(string(body), "You write search phrases") {
			answer, _ = json.Marshal(map[string]any{"skills": []any{
				map[string]any{"n": 1, "en": e.requests, "kw": []string{"cash"}, "not": []string{}}}})
		}
		json.NewEncoder(w).Encode(map[string]any{"model": "m", "choices": []any{
			map[string]any{"message": map[string]string{"content": string(answer)}, "finish_reason": "stop"}}})
	}))
	t.Cleanup(e.Close)
	return e
}

func TestSuggest(t *testing.T) {
	const better = "Balances the till at night: counts cash and coins in the register, adds up the takings and finds " +
		"what is missing or short."
	for _, tt := range []struct {
		name, description string
		busy              int
		args, want, not   []string
		written           bool
	}{
		{"one that helps", better, 0, nil,
			[]string{"of 4 requests that the model had not seen, 0 find the skill first (4 with the new",
				"0 no longer do with the new description", "+description: '" + better + "'"},
			[]string{"Rejected"}, false},
		{"one that helps, from a server that is busy first", better, 1, []string{"--fix"}, []string{"+description: '" + better + "'"}, nil, true},
		{"one that does not help", "Balances any till.", 0, []string{"--fix"},
			[]string{"Rejected: it does not improve the ranks for requests that the model had not seen"}, []string{"diff a/"}, false},
		{"one that takes a neighbour's requests",
			better + ` Use when the user says "please warm my oven", "warm my oven now" or "please, my oven".`, 0, []string{"--fix"},
			[]string{"Rejected: other skills would lose requests to this skill", `"please warm my oven now" from`}, []string{"diff a/"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.New(t)
			dir := skills(t, h, map[string]string{
				"till": "---\nname: till\ndescription: Balances the till. Use when the user says \"balance the till\".\n---\n# Till\n\nkey: " + key + "\n",
				"safe": "---\nname: safe\ndescription: Opens the safe. Use when the user asks why something is missing, off or short.\n---\n# Safe\n\n1. Turn.\n",
				"loaves": "---\nname: loaves\ndescription: Makes bread. Use when the user says \"bake a loaf\", \"knead the " +
					"dough\" or \"please warm my oven now\".\n---\n# Loaves\n",
			})
			h.Write(t, filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml"), "enrich: {languages: [en]}\n", 0o600)
			e := newEndpoint(t)
			e.description, e.busy = tt.description, tt.busy
			args := append([]string{"suggest", "till", dir, "--provider", "openai", "--base-url", e.URL + "/v1",
				"--model", "m"}, tt.args...)
			out, err := h.Run(New(h.App), args...)
			require.NoError(t, err)
			for _, want := range tt.want {
				assert.Contains(t, out, want, args)
			}
			for _, not := range tt.not {
				assert.NotContains(t, out, not, args)
			}
			require.Len(t, e.bodies, 2)
			assert.NotContains(t, strings.Join(e.bodies, ""), key)
			text, err := os.ReadFile(filepath.Join(dir, "till", "SKILL.md"))
			require.NoError(t, err)
			assert.Equal(t, tt.written, strings.Contains(string(text), tt.description))
			if tt.written {
				return
			}
			var x lint.Suggestion
			again, err := h.Run(New(h.App), append(args[:len(args)-len(tt.args)], "--json")...)
			if err != nil || json.Unmarshal([]byte(again), &x) != nil || x.Description != tt.description || x.Kept != (tt.not[0] != "diff a/") {
				t.Errorf("with --json it prints %s, %v", again, err)
			}
			assert.Len(t, e.bodies, 2)
		})
	}
}

const key = "sk-ant-api03-Zq8vN2mKxW4pLr7TdYb3HcGf"

func TestSuggestAsksAgain(t *testing.T) {
	h := apptest.New(t)
	dir := skills(t, h, map[string]string{"till": "---\nname: till\ndescription: Balances the till.\n---\n# Till\n\n1. Count.\n"})
	h.Write(t, filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml"), "enrich: {languages: [en]}\n", 0o600)
	e := newEndpoint(t)
	e.description = "Balances the till: counts cash and coins."
	enough := e.requests
	e.requests = enough[:2]
	args := []string{"suggest", "till", dir, "--provider", "openai", "--base-url", e.URL + "/v1", "--model", "m"}
	code, message := h.Status(New(h.App), args...)
	require.Equal(t, 3, code)
	require.Contains(t, message, "the model wrote 2 requests, but 3 are needed")
	require.Len(t, e.bodies, 1)
	e.requests = enough
	for _, tt := range []struct {
		name  string
		args  []string
		asked int
	}{
		{"with enough requests", nil, 3},
		{"the same again", nil, 3},
		{"the same without the cache", []string{"--no-cache"}, 5},
	} {
		if out, err := h.Run(New(h.App), append(args, tt.args...)...); err != nil || len(e.bodies) != tt.asked {
			t.Errorf("%s: %d questions were asked, want %d; it prints %s, %v", tt.name, len(e.bodies), tt.asked, out, err)
		}
	}
}

func TestSuggestFails(t *testing.T) {
	h := apptest.New(t)
	dir := skills(t, h, map[string]string{"till": "---\nname: till\ndescription: Balances the till.\n---\n# Till\n\n1. Count.\n"})
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"no model", "openai needs --base-url and --model", []string{"--provider", "openai"}},
		{"nobody there", "check that http://127.0.0.1:1/v1 responds",
			[]string{"--provider", "openai", "--base-url", "http://127.0.0.1:1/v1", "--model", "m"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"suggest", "till", dir}, tt.args...)
			code, message := h.Status(New(h.App), args...)
			require.Equal(t, 3, code)
			assert.Contains(t, message, tt.want)
		})
	}
}
