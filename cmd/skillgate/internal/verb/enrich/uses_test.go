package enrich

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// usesLog is a journal with one prompt and the uses after it.
func usesLog(t *testing.T, prompt, level string, uses ...journal.Outcome) *store.DB {
	t.Helper()
	dir := t.TempDir()
	add := func(kind journal.Kind, fill func(*journal.Record)) {
		t.Helper()
		r := journal.New(kind, noon)
		r.Session, r.PromptID, r.Cwd = "s1", "p1", dir
		fill(&r)
		if err := journal.Append(dir, r); err != nil {
			t.Fatal(err)
		}
	}
	add(journal.KindDecision, func(r *journal.Record) {
		d := gate.Decision{Prompt: prompt, Verdict: gate.Inject, Candidates: []gate.Candidate{{Rank: 1, Name: "kettle", Injected: true}}}
		r.SetDecision(d, level, []string{"water", "boil"})
	})
	for _, u := range uses {
		add(journal.KindOutcome, func(r *journal.Record) { r.Outcome = &u })
	}
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Fold(t.Context(), noon, time.Second); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestUses(t *testing.T) {
	entries := []catalog.Entry{
		{ID: "personal/kettle", Name: "kettle", Path: "/skills/kettle/SKILL.md"},
		{ID: "project/kettle", Name: "kettle", Path: "/project/kettle/SKILL.md"},
		{ID: "personal/teapot", Name: "teapot", Path: "/skills/teapot/SKILL.md"},
	}
	used := func(tool, skill string) journal.Outcome {
		return journal.Outcome{Tool: tool, Skill: skill, Success: true, Source: "PostToolUse"}
	}
	kettle := used(journal.ToolSkill, "kettle")
	tests := []struct {
		name, prompt  string
		logged, level string
		uses          []journal.Outcome
		want          string // text of the use of personal/kettle, "" for none
	}{
		{"one skill was used", "boil me some water", journal.Full, journal.Full, []journal.Outcome{kettle}, "boil me some water"},
		{"twice the same one", "boil me some water", journal.Full, journal.Full, []journal.Outcome{kettle, kettle}, "boil me some water"},
		{"nothing was used", "boil me some water", journal.Full, journal.Full, nil, ""},
		{"two skills were used", "boil me some water", journal.Full, journal.Full, []journal.Outcome{kettle, used(journal.ToolSkill, "teapot")}, ""},
		{"the user typed its name", "boil me some water", journal.Full, journal.Full, []journal.Outcome{used(journal.ToolTyped, "kettle")}, ""},
		{"the use failed", "boil me some water", journal.Full, journal.Full,
			[]journal.Outcome{{Tool: journal.ToolSkill, Skill: "kettle", Source: "PostToolUse"}}, ""},
		{"the skill is not here", "boil me some water", journal.Full, journal.Full, []journal.Outcome{used(journal.ToolSkill, "samovar")}, ""},
		{"a typed command", "/kettle now", journal.Full, journal.Full, []journal.Outcome{kettle}, ""},
		{"logged as terms", "boil me some water", journal.Terms, journal.Full, []journal.Outcome{kettle}, "boil water"},
		{"the user keeps terms now", "boil me some water", journal.Full, journal.Terms, []journal.Outcome{kettle}, ""},
		{"logged as a hash", "boil me some water", journal.Hash, journal.Full, []journal.Outcome{kettle}, ""},
		{"its file was read", "boil me some water", journal.Full, journal.Full, []journal.Outcome{
			{Tool: journal.ToolRead, Skill: "kettle", Path: "/skills/kettle/SKILL.md", Success: true, Source: "PostToolUse"},
		}, "boil me some water"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := confirmedUses(t.Context(), usesLog(t, tt.prompt, tt.logged, tt.uses...), entries, tt.level)
			if err != nil {
				t.Fatal(err)
			}
			var want []enrich.Use
			if tt.want != "" {
				want = []enrich.Use{{ID: "personal/kettle", Name: "kettle", Text: tt.want, Time: noon}}
			}
			if len(got) != len(want) || len(got) == 1 && (got[0].ID != want[0].ID || got[0].Text != want[0].Text || !got[0].Time.Equal(noon)) {
				t.Errorf("Uses = %+v, want %+v", got, want)
			}
		})
	}
}

func TestUsesOfAClosedJournal(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "state"))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := confirmedUses(t.Context(), db, nil, journal.Full); err == nil {
		t.Error("a journal that is closed gives no error")
	}
}
