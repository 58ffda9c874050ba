package replay

import (
	"fmt"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// wednesday is in the week that began on Monday, March 2.
var wednesday = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// ended returns a prompt whose turn has ended, with the skills that were named and the skill that was used, if any.
func ended(day int, used string, named ...string) *Prompt {
	d := &gate.Decision{Verdict: gate.Silent, Candidates: []gate.Candidate{}}
	for i, n := range named {
		d.Verdict = gate.Inject
		d.Candidates = append(d.Candidates, gate.Candidate{Rank: i + 1, Name: n, Pool: "skill", Injected: true,
			Matched: []gate.Match{{Term: "word of " + n, Score: 2}}})
	}
	p := &Prompt{ID: fmt.Sprint("d", day), Session: fmt.Sprint("s", day), Time: wednesday.AddDate(0, 0, day),
		Text: "a prompt", Level: journal.Full,
		Over: true, Recorded: d, Skillgate: "v1", Settings: "same"}
	if used != "" {
		p.Uses = []journal.Outcome{{Tool: journal.ToolSkill, Skill: used, Success: true}}
	}
	return p
}

func TestRegressions(t *testing.T) {
	var log []*Prompt
	for day := -20; day <= 1; day++ { // the last day is in the future, as after a wrong clock
		log = append(log, ended(day, "pdf", "pdf"), ended(day, "", "pdf"))
	}
	here := Here{Say: fmt.Sprintf, Skillgate: "v1", Fingerprint: func(string) string { return "same" }}
	got, err := Regressions(t.Context(), log, &Side{Logged: true}, here, wednesday.Add(time.Hour))
	if err != nil || got.Compared != 14 || len(got.Regressions) != 0 {
		t.Errorf("Regressions = %+v, %v, want 14 prompts compared and none lost", got, err)
	}
}

func TestCauseOfARegression(t *testing.T) {
	p := ended(0, "pdf", "pdf")
	r := &Result{Prompt: p, A: Answer{Decision: p.Recorded}, B: Answer{Decision: ended(0, "",
		"csv").Recorded}}
	old, young := wednesday.AddDate(0, -1, 0).UnixNano(), wednesday.AddDate(0, 0, 2).UnixNano()
	same := func(string) string { return "same" }
	tests := []struct {
		name string
		here Here
		want string
	}{
		{"nothing", Here{Say: fmt.Sprintf, Skillgate: "v1", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf", ModTime: old},
			{Name: "csv", ModTime: old}}}, ""},
		{"skillgate", Here{Say: fmt.Sprintf, Skillgate: "v2", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf", ModTime: old}}},
			"skillgate changed from v1 to v2"},
		{"settings", Here{Say: fmt.Sprintf, Skillgate: "v1", Fingerprint: func(string) string { return "x" },
			Entries: []catalog.Entry{{Name: "pdf", ModTime: old}}}, "the settings changed"},
		{"its own file", Here{Say: fmt.Sprintf, Skillgate: "v1", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf",
			ModTime: young}}}, "its file changed on 2026-03-06"},
		{"it is gone", Here{Say: fmt.Sprintf, Skillgate: "v1", Fingerprint: same}, "it is no longer installed"},
		{"a rival", Here{Say: fmt.Sprintf, Skillgate: "v1", Fingerprint: same, Entries: []catalog.Entry{{Name: "pdf", ModTime: old},
			{Name: "csv", ModTime: young}}}, "csv, which is suggested instead, changed on 2026-03-06"},
		{"the dictionary", Here{Say: fmt.Sprintf, Skillgate: "v1", Fingerprint: same, Dictionary: wednesday.AddDate(0, 0, 1),
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
