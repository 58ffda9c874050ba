package outcome

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

func TestTurn(t *testing.T) {
	pdf := Named{"office:pdf", "/skills/pdf/SKILL.md", "skill"}
	use := func(tool, skill string, ok bool) journal.Outcome {
		return journal.Outcome{Tool: tool, Skill: skill, Success: ok}
	}
	tests := []struct {
		name    string
		turn    Turn
		state   State
		unnamed []string
		typed   []string
	}{
		{"nothing named, nothing used", Turn{Over: true}, "", nil, nil},
		{"named and loaded, under its last part", Turn{Named: []Named{pdf}, Uses: []journal.Outcome{use("Skill",
			"pdf", true)}}, Followed, nil, nil},
		{"named, and its file read", Turn{Named: []Named{pdf}, Uses: []journal.Outcome{{Tool: "read", Skill: "x",
			Path: "/skills/pdf/SKILL.md", Success: true}}, Over: true}, Followed, nil, nil},
		{"the turn still runs", Turn{Named: []Named{pdf}}, Unknown, nil, nil},
		{"the turn ended without a use", Turn{Named: []Named{pdf}, Over: true}, NotFollowed, nil, nil},
		{"the turn still runs, and another was used", Turn{Named: []Named{pdf}, Uses: []journal.Outcome{use("Skill",
			"csv", true)}}, Unknown, []string{"csv"}, nil},
		{"loading failed", Turn{Named: []Named{pdf}, Uses: []journal.Outcome{use("Skill", "pdf", false)}, Over: true},
			NotFollowed, nil, nil},
		{"the person typed it", Turn{Named: []Named{pdf}, Uses: []journal.Outcome{use("typed", "pdf", true)},
			Over: true}, NotFollowed, nil, []string{"pdf"}},
		{"used twice, not named", Turn{Uses: []journal.Outcome{use("Skill", "csv", true), use("Skill", "csv", true)},
			Over: true}, "", []string{"csv"}, nil},
		{"an agent that was named", Turn{Named: []Named{{"tester", "", "agent"}}, Uses: []journal.Outcome{use("agent",
			"tester", true)}, Over: true}, Followed, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.state, tt.turn.State())
			assert.Equal(t, tt.unnamed, tt.turn.Unnamed())
			assert.Equal(t, tt.typed, tt.turn.Typed())
		})
	}
}

// If a suggested skill was already loaded, its use does not count for the suggestion.
func TestLoadedIsNeitherFollowedNorNot(t *testing.T) {
	d := &gate.Decision{Candidates: []gate.Candidate{{Name: "pdf", Injected: true, Loaded: true}, {Name: "csv"}}}
	for _, uses := range [][]journal.Outcome{nil, {{Tool: journal.ToolSkill, Skill: "pdf", Success: true}}} {
		turn := Turn{Named: NamedBy(d), Kept: KeptBack(d), Uses: uses, Over: true}
		if state, missed := turn.State(), turn.Unnamed(); state != "" || len(missed) > 0 {
			t.Errorf("with the uses %v State = %q, Unnamed = %q, want neither", uses, state, missed)
		}
	}
	d.Candidates[1].Injected = true
	assert.Equal(t, NotFollowed, (&Turn{Named: NamedBy(d), Kept: KeptBack(d), Over: true}).State())
}

func TestWilson(t *testing.T) {
	tests := []struct {
		name      string
		hits, n   int
		low, high float64
	}{
		{"none of one", 0, 1, 0, 0.7935},
		{"one of one", 1, 1, 0.2065, 1},
		{"none of ten", 0, 10, 0, 0.2775},
		{"half of a hundred", 50, 100, 0.4038, 0.5962},
		{"Newcombe's 81 of 263", 81, 263, 0.2553, 0.3662},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Wilson(tt.hits, tt.n, float64(tt.n))
			if math.Abs(got.Low-tt.low) > 5e-5 || math.Abs(got.High-tt.high) > 5e-5 {
				t.Errorf("Wilson(%d, %d) = %.4f to %.4f, want %.4f to %.4f", tt.hits, tt.n, got.Low, got.High, tt.low,
					tt.high)
			}
		})
	}
}

func TestShareIsWiderWhereSessionsAreAlike(t *testing.T) {
	var apart, alike Share
	assert.Nil(t, apart.Rate(), "the rate of nothing is not nil")
	for i := range 100 {
		apart.Add(fmt.Sprint(i), i%2 == 0)
		alike.Add(fmt.Sprint(i/20), i/20%2 == 0) // five sessions, each all or nothing
	}
	a, b := apart.Rate(), alike.Rate()
	if math.Abs(a.Low-0.4038) > 1e-3 || b.Low > a.Low-0.15 || b.High < a.High+0.1 || b.N != 100 {
		t.Errorf("100 sessions: %.3f to %.3f, five of twenty: %.3f to %.3f; want the second far wider", a.Low, a.High,
			b.Low, b.High)
	}
}

func TestMiddle(t *testing.T) {
	for _, tt := range []struct {
		values    []float64
		low, high float64
	}{
		{[]float64{4, 0, 1, 3, 2}, .1, 3.9},
		{[]float64{7}, 7, 7},
		{[]float64{1, 0}, .025, .975},
	} {
		if low, high := Middle(tt.values); math.Abs(low-tt.low) > 1e-9 || math.Abs(high-tt.high) > 1e-9 {
			t.Errorf("Middle(%v) = %g, %g, want %g, %g", tt.values, low, high, tt.low, tt.high)
		}
	}
}
