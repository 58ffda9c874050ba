package enrich

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate/journal"
)

// expansions are lines as others write them: by id, by name, and for a skill that is not here.
const expansions = `{"id":"personal/kettle","en":["make me a cuppa","something hot to drink please"],"kw":["brew"]}
{"id":"elsewhere/teapot","name":"teapot","en":["pour it for four people"],"kw":["pot"]}
{"id":"personal/samovar","en":["light the samovar"]}
`

// home has two skills.
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

// enriched is home with the expansions taken from a file.
func enriched(t *testing.T) *apptest.Home {
	t.Helper()
	h := home(t)
	if out, err := h.Run(New(h.App, nil), "import", apptest.File(t, "team.jsonl", expansions)); err != nil {
		t.Fatalf("enrich import: %v\n%s", err, out)
	}
	return h
}

func TestOptions(t *testing.T) {
	h := home(t)
	var got *Options
	run := func(_ context.Context, o *Options) error { got = o; return nil }
	args := []string{"--provider", "openai", "--model", "m", "--base-url", "http://localhost:1/v1", "--languages", "ko,ja", "--only", "a", "--only", "b",
		"--changed", "--limit", "3", "--batch", "2", "--jobs", "1", "--attempts", "4", "--timeout", "2s", "--dry-run", "--no-check", "--json"}
	if _, err := h.Run(New(h.App, run), args...); err != nil {
		t.Fatal(err)
	}
	if got.provider != (enrichment.Provider{Name: "openai", Model: "m", BaseURL: "http://localhost:1/v1"}) || strings.Join(got.languages, " ") != "ko ja" ||
		strings.Join(got.only, " ") != "a b" || !got.changed || got.limit != 3 || got.batch != 2 || got.jobs != 1 || got.attempts != 4 ||
		got.timeout != 2*time.Second || !got.dryRun || !got.noCheck || !got.json {
		t.Errorf("options are %+v", got)
	}
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
		{"no skill in a request", "--batch is 0, want 1 to 50", []string{"--batch", "0", "--dry-run"}},
		{"too many at a time", "--jobs is 51, want 1 to 50", []string{"--jobs", "51", "--dry-run"}},
		{"less than no skills", "--limit and --timeout", []string{"--limit", "-1", "--dry-run"}},
		{"a language without words", "klingon", []string{"--languages", "klingon", "--dry-run"}},
		{"a client that is not there", "--provider openai and `skillgate enrich import FILE` do without it",
			[]string{"--client", "/nowhere/claude"}},
		{"a file that is not there", "enrich export", []string{"import", "nowhere.jsonl"}},
		{"a file of something else", `{"id","ko","en","kw"}`, []string{"import", apptest.File(t, "x.jsonl", "tea\n")}},
		{"show of nothing", `no skill "samovar"`, []string{"show", "samovar"}},
		{"drop of nothing", "want skills or --all", []string{"drop"}},
		{"drop of all and one", "want skills or --all", []string{"drop", "--all", "kettle"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code, message := h.Status(New(h.App, nil), tt.args...); code != 3 || !strings.Contains(message, tt.want) {
				t.Errorf("enrich %v ends with %d and %q, want 3 and %q", tt.args, code, message, tt.want)
			}
		})
	}
}

func TestDryRunAsksNothing(t *testing.T) {
	h := home(t)
	out, err := h.Run(New(h.App, nil), "--dry-run", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Skills) != 2 || r.Estimate.Requests != 1 || r.Estimate.In == 0 || r.USD == nil || r.Run != nil {
		t.Errorf("the dry run says %s, want two skills in one request with a price", out)
	}
	if _, err := os.Stat(filepath.Join(h.State, "enrichment.jsonl")); err == nil {
		t.Error("the dry run has written a store")
	}
	if out, err := h.Run(New(h.App, nil), "--dry-run", "--only", "ket*"); err != nil ||
		!strings.Contains(out, "about 1 skill: 1 request") {
		t.Errorf("with --only ket* it prints %q, %v", out, err)
	}
}

func TestFromFileIsSearched(t *testing.T) {
	h := home(t)
	file := apptest.File(t, "team.jsonl", expansions)
	if out, err := h.Run(New(h.App, nil), "import", file, "--dry-run"); err != nil ||
		out != "would take expansions for 2 skills from the file; lines for no skill that needs one: 1\n" {
		t.Errorf("import --dry-run prints %q, %v", out, err)
	}
	out, err := h.Run(New(h.App, nil), "import", file)
	if err != nil || !strings.Contains(out, "2 of 2 skills enriched with 5 phrases") ||
		!strings.Contains(out, "check: 3 requests of 2 skills") {
		t.Errorf("enrich import prints %q, %v", out, err)
	}
	if out, err := h.Run(New(h.App, nil), "import", file); err != nil || !strings.Contains(out, "nothing to ask") {
		t.Errorf("the second time it prints %q, %v", out, err)
	}
	if out, err := h.Run(New(h.App, nil), "show"); err != nil ||
		!strings.HasPrefix(out, "2 skills enriched, 0 changed since, 0 without") {
		t.Errorf("show prints %q, %v", out, err)
	}
	if out, err := h.Run(New(h.App, nil), "show", "kettle"); err != nil ||
		!strings.Contains(out, "written by file on 2026-03-04") || !strings.Contains(out, "  en  make me a cuppa\n") {
		t.Errorf("show kettle prints %q, %v", out, err)
	}
	if out, err := h.Run(New(h.App, nil), "check", "--json"); err != nil || !strings.Contains(out, `"requests": 3`) {
		t.Errorf("check prints %q, %v", out, err)
	}
}

func TestDrop(t *testing.T) {
	h := enriched(t)
	if code, message := h.Status(New(h.App, nil), "drop", "kettle", "--phrase", "no such phrase"); code != 3 || !strings.Contains(message, "no phrase") {
		t.Errorf("an unknown phrase ends with %d, %q", code, message)
	}
	for _, tt := range []struct {
		name, want string // of show kettle afterwards
		args       []string
	}{
		{"one phrase", "[dropped: by the user]", []string{"drop", "kettle", "--phrase", "make me a cuppa"}},
		{"one skill", "none, as you asked", []string{"drop", "kettle"}},
		{"all", "none yet", []string{"drop", "--all"}},
	} {
		if _, err := h.Run(New(h.App, nil), tt.args...); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if out, err := h.Run(New(h.App, nil), "show", "kettle"); err != nil || !strings.Contains(out, tt.want) {
			t.Errorf("%s: show kettle prints %q, %v, want %q", tt.name, out, err, tt.want)
		}
	}
}

func TestLearnAndExport(t *testing.T) {
	h := enriched(t)
	h.Decide(t, time.Hour, apptest.Injected("wake the kettle for me", "kettle"), journal.Full, "p1")
	h.Use(t, "p1", "kettle")
	if out, err := h.Run(New(h.App, nil), "learn", "--dry-run", "--json"); err != nil || !strings.Contains(out, `"changed": 1`) {
		t.Errorf("learn --dry-run prints %q, %v", out, err)
	}
	if out, err := h.Run(New(h.App, nil), "learn"); err != nil ||
		out != "1 request of 1 skill learned from use; 1 skill changed\n" {
		t.Errorf("learn prints %q, %v", out, err)
	}
	if out, _ := h.Run(New(h.App, nil), "show", "kettle"); !strings.Contains(out, "use wake the kettle for me  [1×") {
		t.Errorf("show kettle prints %q", out)
	}
	if out, err := h.Run(New(h.App, nil), "export"); err != nil || strings.Contains(out, "wake the kettle") || strings.Count(out, "\n") != 2 {
		t.Errorf("export prints %q, %v, want two lines without what was typed", out, err)
	}
	file := filepath.Join(h.Dir, "shared.jsonl")
	if out, err := h.Run(New(h.App, nil), "export", file, "--learned"); err != nil ||
		out != "2 skills written to "+file+"\n" || !strings.Contains(h.Read(t, file), "wake the kettle") {
		t.Errorf("export --learned prints %q, %v", out, err)
	}
	h.Write(t, filepath.Join(h.Dir, ".config", "skillgate", "skillgate.yaml"), "log: {prompts: none}\n", 0o600)
	if out, err := h.Run(New(h.App, nil), "learn"); err != nil || !strings.Contains(out, "0 requests of 0 skills") ||
		!strings.Contains(h.Err.String(), "nothing is learned") {
		t.Errorf("with log.prompts none learn prints %q and notes %q, %v", out, h.Err.String(), err)
	}
	if out, _ := h.Run(New(h.App, nil), "show", "kettle"); strings.Contains(out, "wake the kettle") {
		t.Errorf("what was learned is still there: %q", out)
	}
}

func TestCheckOfALibrary(t *testing.T) {
	h := home(t)
	file := apptest.File(t, "x.jsonl", `{"id":"kettle","en":["make me a cuppa please","a drink to warm me up"]}`+"\n")
	out, err := h.Run(New(h.App, nil), "check", "--library", filepath.Join(h.Dir, ".claude", "skills"), "--enrichment", file)
	if err != nil || !strings.Contains(out, "requests of 1 skill,") {
		t.Errorf("check of a library prints %q, %v", out, err)
	}
}
