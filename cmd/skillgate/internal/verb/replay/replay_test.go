package replay

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

func skill(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n# " + name + "\n\n1. Begin.\n"
}

func home(t *testing.T) *apptest.Home {
	t.Helper()
	h := apptest.New(t)
	for name, description := range map[string]string{
		"kettle": "Boils water for tea in a kettle. Use when the user says \"boil the kettle\".",
		"mill":   "Grinds coffee beans in a mill. Use when the user says \"grind the beans\".",
		"oven":   "Bakes sourdough bread in an oven. Use when the user says \"bake the bread\".",
	} {
		h.Write(t, filepath.Join(h.Dir, ".claude", "skills", name, "SKILL.md"), skill(name, description), 0o600)
	}
	h.Decide(t, 3*time.Hour, apptest.Injected("boil the kettle with fresh water for the tea", "kettle"), journal.Full, "p1")
	h.Use(t, "p1", "kettle")
	h.Decide(t, 2*time.Hour, apptest.Silent("the visitors would like an espresso this afternoon"), journal.Full, "p2")
	h.Use(t, "p2", "mill")
	h.Decide(t, time.Hour, gate.Decision{Prompt: "hello", Lang: "en", Verdict: gate.Skip, Reason: gate.Greeting,
		Candidates: []gate.Candidate{}}, journal.Full, "p3")
	return h
}

func replayed(t *testing.T, h *apptest.Home, args ...string) (r struct {
	A, B     string
	Prompts  int
	Compared int
	Known    int
	Changes  map[string]int
	Listed   []struct {
		Prompt, Change, Cause string
		A, B                  struct {
			Verdict, Reason string
			Named           []string
		}
		Used []string
	}
}, code int) {
	t.Helper()
	code, message := h.Status(New(h.App), append(args, "--json")...)
	err := json.Unmarshal(h.Out.Bytes(), &r)
	require.NoError(t, err, "replay %v ends with %d (%s) and prints %q", args, code, message, h.Out.String())
	return r, code
}

func TestCompareWithAnotherSkill(t *testing.T) {
	h := home(t)
	dir := filepath.Join(h.Dir, "new", "espresso")
	h.Write(t, filepath.Join(dir, "SKILL.md"), skill("espresso",
		"Makes an espresso for visitors in the afternoon. Use when the user says \"an espresso this afternoon\"."), 0o600)
	r, code := replayed(t, h, "--with-skill", dir)
	if code != 0 || r.Changes["now_fires"] != 1 || len(r.Listed) != 1 || r.Listed[0].B.Named[0] != "espresso" || r.Listed[0].Used[0] != "mill" {
		t.Errorf("with the skill: %+v, %d", r, code)
	}
	out, err := h.Run(New(h.App), "--with-skill", dir)
	if err != nil || !strings.Contains(out, "now suggests") ||
		!strings.Contains(out, "1 of 3 prompts would get a different decision (33.3%)") || !strings.Contains(out, "espresso") {
		t.Errorf("for people: %q, %v", out, err)
	}
	// A changed skill replaces the installed one with its name.
	mill := filepath.Join(h.Dir, "new", "mill")
	h.Write(t, filepath.Join(mill, "SKILL.md"),
		skill("mill", "Makes an espresso for visitors in the afternoon. Use when the user says \"an espresso this "+
			"afternoon\"."), 0o600)
	if r, _ := replayed(t, h, "--with-skill", mill); r.Changes["now_fires"] != 1 || r.Listed[0].B.Named[0] != "mill" {
		t.Errorf("with another mill: %+v", r)
	}
}

func TestWrongUsage(t *testing.T) {
	h := home(t)
	empty := apptest.New(t)
	for _, tt := range []struct {
		name, want string
		h          *apptest.Home
		args       []string
	}{
		{"a setting without a value", "for example --set score_min=7", h, []string{"--set", "score_min"}},
		{"a setting that is not known", "--set x=1", h, []string{"--set", "x=1"}},
		{"a value that is wrong", "--set", h, []string{"--set", "top_k=-4"}},
		{"a folder without a skill", "no SKILL.md", h, []string{"--with-skill", h.Project}},
		{"no dictionary", "a file like synonyms.yaml", h, []string{"--synonyms", "nowhere.yaml"}},
		{"a broken dictionary", "w.yaml", h, []string{"--synonyms", apptest.File(t, "w.yaml", "korean: [\n")}},
		{"a file of something else", "neither a log export", h, []string{"--from", apptest.File(t, "x.txt", "tea\n")}},
		{"a database", "skillgate log export", h, []string{"--from", apptest.File(t, "x.db", "SQLite")}},
		{"filters that leave nothing", "no prompts to replay", h, []string{"--session", "s9"}},
		{"an empty journal", "the log is empty", empty, nil},
		{"a verdict without decisions", "has none", h, []string{"--verdict", "inject", "--from",
			apptest.File(t, "t.jsonl", `{"type":"user","uuid":"u1","sessionId":"s"}`+"\n")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code, message := tt.h.Status(New(tt.h.App), tt.args...); code != 3 || !strings.Contains(message, tt.want) {
				t.Errorf("replay %v ends with %d and %q, want 3 and %q", tt.args, code, message, tt.want)
			}
		})
	}
}
