package history

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
)

// wednesday is in a week that began on March 2nd.
var wednesday = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// prompt is one whose turn has ended; it was named these and used that, "" for nothing.
func prompt(day int, used string, named ...string) *replay.Prompt {
	d := &gate.Decision{Verdict: gate.Silent, Candidates: []gate.Candidate{}}
	for i, n := range named {
		d.Verdict = gate.Inject
		d.Candidates = append(d.Candidates, gate.Candidate{Rank: i + 1, Name: n, Pool: "skill", Injected: true,
			Matched: []gate.Match{{Term: "word of " + n, Score: 2}}})
	}
	p := &replay.Prompt{ID: fmt.Sprint("d", day), Session: fmt.Sprint("s", day), Time: wednesday.AddDate(0, 0, day),
		Text: "a prompt", Level: journal.Full,
		Over: true, Recorded: d, Skillgate: "v1", Settings: "same"}
	if used != "" {
		p.Uses = []journal.Outcome{{Tool: journal.ToolSkill, Skill: used, Success: true}}
	}
	return p
}

func TestSkill(t *testing.T) {
	typed := prompt(3, "")
	typed.Uses = []journal.Outcome{{Tool: journal.ToolTyped, Skill: "pdf", Success: true}}
	kept := prompt(4, "pdf", "pdf")
	kept.Recorded.HoldBack()
	got := Of("pdf", []*replay.Prompt{
		prompt(0, "pdf", "pdf", "csv"), // followed
		prompt(1, "csv", "pdf", "csv"), // it stood first, and another was used
		prompt(2, "pdf", "csv"),        // another stood in its place
		typed, kept,
		prompt(7, "pdf"), // nothing was named
	}, time.UTC)
	if got.Asked != 1 || got.Named.Named != 2 || got.Named.Followed != 1 || got.Used != 4 || got.Missed != 2 ||
		got.Kept != 1 {
		t.Errorf("Of = %+v, want asked 1, named 2, followed 1, used 4, missed 2, kept 1", got)
	}
	if diff := cmp.Diff([]Count{{"csv", 1}}, got.StolenBy); diff != "" {
		t.Errorf("stolen by (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Count{{"csv", 1}}, got.StealsFrom); diff != "" {
		t.Errorf("steals from (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Word{{"word of pdf", 4, 2}}, got.Words); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	if diff := cmp.Diff([]SkillWeek{{monday, 2, 3, 1}, {monday.AddDate(0, 0, 7), 0, 1, 1}}, got.Weeks); diff != "" {
		t.Errorf("weeks (-want +got):\n%s", diff)
	}
}

// The weeks of all skills are those of each.
func TestSkills(t *testing.T) {
	list := []*replay.Prompt{prompt(0, "pdf", "pdf", "csv"), prompt(1, "csv", "pdf"), prompt(2, ""), prompt(7, "pdf")}
	all := Skills(list, time.UTC)
	for _, name := range []string{"pdf", "csv"} {
		if diff := cmp.Diff(Of(name, list, time.UTC).Weeks, all[name]); diff != "" {
			t.Errorf("the weeks of %s differ from its page's (-page +all):\n%s", name, diff)
		}
	}
	if len(all) != 2 {
		t.Errorf("Skills tells of %d skills, want 2", len(all))
	}
}

func TestLastWeek(t *testing.T) {
	var log []*replay.Prompt
	for day := -13; day <= 0; day++ {
		used := "pdf"
		if day > -7 {
			used = ""
		}
		for range 3 {
			log = append(log, prompt(day, used, "pdf"))
		}
	}
	log[len(log)-1].Skillgate = "v2"
	same := &replay.Side{Logged: true}
	here := Here{Skillgate: "v2", Fingerprint: func(string) string { return "same" },
		Entries: []catalog.Entry{{Name: "pdf", ModTime: wednesday.AddDate(0, -1, 0).UnixNano()}}}
	c, err := LastWeek(t.Context(), log, same, here, wednesday.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if c.Now.Prompts != 21 || c.Before.Prompts != 21 || c.Now.Hints.Followed != 0 || c.Before.Hints.Followed != 21 {
		t.Errorf("weeks = %+v and %+v, want 21 prompts each, followed 0 and 21", c.Now, c.Before)
	}
	if len(c.Moved) != 1 || c.Moved[0].Skill != "pdf" || c.Moved[0].Now.Value != 0 {
		t.Errorf("moved = %+v, want pdf from 1 to 0", c.Moved)
	}
	if diff := cmp.Diff([]string{"skillgate v1 → v2 on 2026-03-04"}, c.Changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if len(c.Regressions) != 0 {
		t.Errorf("regressions = %+v where the same is named, want none", c.Regressions)
	}
}

// Logs of two machines stand in one journal, and the clock of one was a year ahead for a while.
func TestLastWeekOfTwoMachines(t *testing.T) {
	var log []*replay.Prompt
	for day := -6; day <= 0; day++ {
		a, b := prompt(day, "pdf", "pdf"), prompt(day, "pdf", "pdf")
		b.Skillgate, b.Cwd = "v2", "/another/machine"
		log = append(log, a, b)
	}
	ahead := prompt(365, "pdf", "pdf")
	ahead.Skillgate = "v3"
	log = append(log, ahead)
	here := Here{Skillgate: "v2", Fingerprint: func(string) string { return "same" }}
	c, err := LastWeek(t.Context(), log, &replay.Side{Logged: true}, here, wednesday.Add(time.Hour))
	if err != nil || c.Now.Prompts != 14 {
		t.Errorf("the last week has %d prompts, %v; want 14, without the one of next year", c.Now.Prompts, err)
	}
	if diff := cmp.Diff([]string{"skillgate v1 → v2 on 2026-02-26", "skillgate v2 → v1 on 2026-02-27"}, c.Changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
}

// What a few turns tell is chance; five on each side may tell more.
func TestLastWeekOfFewTurns(t *testing.T) {
	for _, tt := range []struct {
		before, now int // turns, all followed and none
		want        int
	}{
		{4, 2, 0}, {20, 4, 0}, {4, 20, 0}, {5, 5, 1},
	} {
		var log []*replay.Prompt
		for i := range tt.before {
			log = append(log, prompt(-8-i%5, "pdf", "pdf"))
		}
		for i := range tt.now {
			log = append(log, prompt(-i%5, "", "pdf"))
		}
		here := Here{Fingerprint: func(string) string { return "same" }}
		c, err := LastWeek(t.Context(), log, &replay.Side{Logged: true}, here, wednesday.Add(time.Hour))
		if err != nil || len(c.Moved) != tt.want {
			t.Errorf("%d of %d, then 0 of %d: moved = %+v, %v, want %d", tt.before, tt.before, tt.now, c.Moved, err, tt.want)
		}
	}
}

func TestCauseOfARegression(t *testing.T) {
	p := prompt(0, "pdf", "pdf")
	r := &replay.Result{Prompt: p, A: replay.Answer{Decision: p.Recorded}, B: replay.Answer{Decision: prompt(0, "",
		"csv").Recorded}}
	old, young := wednesday.AddDate(0, -1, 0).UnixNano(), wednesday.AddDate(0, 0, 2).UnixNano()
	same := func(string) string { return "same" }
	tests := []struct {
		name string
		here Here
		want string
	}{
		{"nothing", Here{Skillgate: "v1", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf", ModTime: old},
			{Name: "csv", ModTime: old}}}, ""},
		{"skillgate", Here{Skillgate: "v2", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf", ModTime: old}}},
			"skillgate v1 → v2"},
		{"settings", Here{Skillgate: "v1", Fingerprint: func(string) string { return "x" },
			Entries: []catalog.Entry{{Name: "pdf", ModTime: old}}}, "settings"},
		{"its own file", Here{Skillgate: "v1", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf",
			ModTime: young}}}, "its file changed on 2026-03-06"},
		{"it is gone", Here{Skillgate: "v1", Fingerprint: same}, "it is not installed any more"},
		{"a rival", Here{Skillgate: "v1", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf", ModTime: old},
			{Name: "csv", ModTime: young}}}, "csv, which is named instead, changed on 2026-03-06"},
		{"the dictionary", Here{Skillgate: "v1", Fingerprint: same, Dictionary: wednesday.AddDate(0, 0, 1),
			Entries: []catalog.Entry{{Name: "pdf", ModTime: old}}}, "the dictionary changed on 2026-03-05"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.here.cause(r, outcome.NamedBy(p.Recorded)[0]); got != tt.want {
				t.Errorf("cause = %q, want %q", got, tt.want)
			}
		})
	}
}
