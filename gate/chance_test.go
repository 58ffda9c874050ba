package gate

import (
	"math"
	"testing"

	"github.com/skillgate/skillgate/gate/need"
)

func TestByChance(t *testing.T) {
	said := []Match{{Term: "deploy", Field: "description", Score: 3}, {Term: "deploy", Field: "body", Score: 4},
		{Term: "button", Field: "body", Score: 2}, {Term: "page", Field: "headings", Score: 1}}
	aside := []Match{{Term: "deploy", Field: "description", Score: 5}, {Term: "button", Field: "body", Score: 3},
		{Term: "page", Field: "headings", Score: 2}}
	tests := []struct {
		name                  string
		tokens, spread, parts float64
		matched               []Match
		want                  bool
	}{
		{"a long prompt that many skills answer alike", 60, 0.4, 0, said, true},
		{"a long prompt with a clear first", 60, 0.6, 0, said, false},
		{"a short prompt that many skills answer alike", 10, 0.4, 0, said, false},
		{"an app's parts in the text alone", 10, 0.6, 0.2, aside, true},
		{"an app's parts, and what the skill is for", 10, 0.6, 0.2, said, false},
		{"no part of an app", 10, 0.6, 0, aside, false},
		{"nothing matched", 10, 0.6, 0.2, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var x need.Features
			x[need.Length], x[need.Spread], x[need.AppParts] = math.Log1p(tt.tokens), tt.spread, tt.parts
			if got := byChance(&x, tt.matched); got != tt.want {
				t.Errorf("byChance = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestChanceEndsUnsurePrompts(t *testing.T) {
	entries := tools()
	entries[2].Body = "Colour the button, the modal and the navbar of a screen like honey."
	g := open(t, entries...)
	g.Settings.NeedMin = 0.5
	const prompt = "move the button of the modal above the navbar"
	g.Need = need.New(nil, 0, need.Features{}, 0.2)
	if d := ask(g, prompt); d.Verdict != Silent || d.Reason != ByChance {
		t.Errorf("unsure: %s %s %q", d.Verdict, d.Reason, d.Context)
	}
	g.Need = need.New(nil, 0, need.Features{}, 3)
	if d := ask(g, prompt); d.Verdict != Inject || !d.Doubtful {
		t.Errorf("sure: %s %s", d.Verdict, d.Reason)
	}
	g.Need, g.Off.Chance = need.New(nil, 0, need.Features{}, 0.2), true
	if d := ask(g, prompt); d.Verdict != Inject || !d.Brief {
		t.Errorf("switched off: %s %s", d.Verdict, d.Reason)
	}
}
