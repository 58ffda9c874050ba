package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func TestSuggest(t *testing.T) {
	dir := benchFolder(t)
	var prompts string
	for _, query := range []string{"water under the sink", "sink water again", "water all over, the sink", "dough for a loaf"} {
		prompts += `{"id":"` + query + `","query":"` + query + `","skill":"o/r/plumbing","should_trigger":true}` + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "public/triggers/prompts.jsonl"), []byte(prompts), 0o600); err != nil {
		t.Fatal(err)
	}
	h := apptest.New(t)
	told, err := h.Run(newSuggestCommand(), dir)
	if err != nil || strings.Count(told, "\n") != 1 || !strings.Contains(told, "o/r/plumbing") || strings.Contains(told, "sink") {
		t.Errorf("suggest prints %s, %v, want plumbing without its prompts", told, err)
	}
	file := apptest.File(t, "proposed.jsonl", `{"id":"o/r/plumbing","description":"Stops water under a sink.","requests":["my sink floods",`+
		`"there is water in the sink","water drips below the sink"]}`)
	out, err := h.Run(newSuggestCommand(), dir, file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(out) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	if text := strings.Join(rows, "\n"); !strings.Contains(text, "all 1 4 .000 .750") || !strings.Contains(text, "kept 1 4 .000 .750") {
		t.Errorf("suggest with a proposal prints\n%s\nwant three of four prompts found first, and the proposal kept", text)
	}
	if _, err := h.Run(newSuggestCommand(), "explain", dir); err == nil || !strings.Contains(err.Error(), "no proposal") {
		t.Errorf("suggest explain without a body to quote: %v", err)
	}
	if _, err := h.Run(newSuggestCommand(), dir, apptest.File(t, "x.jsonl", "tea")); err == nil {
		t.Error("a file of something else is taken")
	}
}
