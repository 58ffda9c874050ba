package experiment

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func plan(t *testing.T, share float64, by string, effect float64) *Plan {
	t.Helper()
	p, err := New(noon, share, by, 7, effect, 0, 30)
	require.NoError(t, err)
	return p
}

func hint() gate.Decision {
	return gate.Decision{Verdict: gate.Inject, Context: "Skills that match", Chars: 17,
		Candidates: []gate.Candidate{{Name: "pdf", Injected: true}, {Name: "csv"}}}
}

func TestAssign(t *testing.T) {
	p := plan(t, 0.1, ByPrompt, 0.2)
	held := 0
	for i := range 5000 {
		d, again := hint(), hint()
		p.Assign(&d, "s", fmt.Sprint("p", i), noon)
		p.Assign(&again, "s", fmt.Sprint("p", i), noon)
		require.NotNil(t, d.Trial, again.Trial)
		require.Equal(t, *again.Trial, *d.Trial, again.Trial)
		if d.Trial.Held {
			held++
			if d.Verdict != gate.Silent || d.Reason != gate.HeldBack || d.Context != "" || d.Chars != 0 ||
				d.Candidates[0].Injected ||
				!d.Candidates[0].Kept || d.Candidates[1].Kept {
				t.Fatalf("a withheld suggestion = %+v", d)
			}
		} else if d.Verdict != gate.Inject || d.Context == "" {
			t.Fatalf("a hint that is given = %+v", d)
		}
	}
	require.GreaterOrEqual(t, held, 420)
	assert.LessOrEqual(t, held, 580)
	for name, change := range map[string]func(*gate.Decision){
		"asked for by name": func(d *gate.Decision) { d.Verdict = gate.Force },
		"silent anyway":     func(d *gate.Decision) { d.Verdict = gate.Silent },
		"skipped":           func(d *gate.Decision) { d.Verdict = gate.Skip },
	} {
		for i := range 100 {
			d := hint()
			change(&d)
			p.Assign(&d, "s", fmt.Sprint("p", i), noon)
			assert.Nil(t, d.Trial, name)
		}
	}
	d := hint()
	p.Assign(&d, "s", "", p.Until)
	assert.Nil(t, d.Trial, "a prompt after the last day takes part")
}

func TestSessionsAreDrawnWhole(t *testing.T) {
	p := plan(t, 0.5, BySession, 0.2)
	held := 0
	for s := range 200 {
		first := false
		for i := range 5 {
			d := hint()
			p.Assign(&d, fmt.Sprint("s", s), "", noon.Add(time.Duration(i)*time.Minute))
			if i == 0 {
				first = d.Trial.Held
			} else if d.Trial.Held != first {
				t.Fatalf("session %d is split", s)
			}
		}
		if first {
			held++
		}
	}
	require.GreaterOrEqual(t, held, 70)
	assert.LessOrEqual(t, held, 130)
}

func TestPlanFile(t *testing.T) {
	for _, bad := range []struct {
		share, effect float64
		by            string
		days          int
	}{{0, .2, ByPrompt, 30}, {.6, .2, ByPrompt, 30}, {math.NaN(), .2, ByPrompt, 30}, {.1, 0, ByPrompt, 30}, {.1, .2,
		"day", 30}, {.1, .2, ByPrompt, 0}} {
		_, err := New(noon, bad.share, bad.by, 1, bad.effect, 0, bad.days)
		assert.Error(t, err, "New(%+v) = nil, want an error", bad)
	}
	dir := t.TempDir()
	if p, err := Load(dir); p != nil || err != nil {
		t.Errorf("Load without a file = %v, %v", p, err)
	}
	p := plan(t, 0.1, ByPrompt, 0.2)
	require.NoError(t, Start(dir, p))
	assert.Error(t, Start(dir, p), "a second start = nil, want an error")
	got, err := Load(dir)
	if err != nil || got.ID != p.ID || got.Seed != 7 {
		t.Errorf("Load = %+v, %v", got, err)
	}
	require.NoError(t, got.End(dir, noon.Add(time.Hour), Test{Found: Helps}))
	if p, err := Load(dir); p != nil || err != nil {
		t.Errorf("Load after the end = %v, %v", p, err)
	}
	if past := Past(dir); len(past) != 1 || past[0].Found != Helps || past[0].ID != p.ID {
		t.Errorf("Past = %+v", past)
	}
	for name, text := range map[string]string{
		"cut off":       `{"version":1,"id":"x`,
		"a newer one":   `{"version":2,"id":"x","share":0.1}`,
		"a share of 7":  `{"version":1,"id":"x","share":7}`,
		"another thing": `[]`,
		"nothing":       ``,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, File), []byte(text), 0o600))
		if p, err := Load(dir); p != nil || err == nil {
			t.Errorf("Load of %s = %v, %v, want an error and nothing to follow", name, p, err)
		}
	}
}

// The constants fulfil the formulas in sequential.go.
func TestBoundaryAndDrift(t *testing.T) {
	phi := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	inside, sign := 0.0, 1.0
	for k := range 10 {
		b := float64(boundary)
		term := sign * (phi(float64(2*k+1)*b) - phi(float64(2*k-1)*b))
		if inside += term; k > 0 {
			inside += sign * (phi(float64(-2*k+1)*b) - phi(float64(-2*k-1)*b))
		}
		sign = -sign
	}
	assert.LessOrEqual(t, math.Abs(1-inside-0.0441), float64(5e-4))
	power := phi(drift-boundary) + math.Exp(2*drift*boundary)*phi(-boundary-drift)
	assert.LessOrEqual(t, math.Abs(power-0.815), float64(2e-3))
}

// TestWholeTable makes the whole table, testdata/figures/experiment.txt.
func TestErrorRatesOfSimulatedUsers(t *testing.T) {
	const runs = 400
	tests := []struct {
		name  string
		share float64
		by    string
		truth truth
	}{
		{"a tenth kept back, skills are seldom used", 0.1, ByPrompt, truth{Base: 0.1, Length: 6}},
		{"half kept back", 0.5, ByPrompt, truth{Base: 0.5, Length: 6}},
		{"by session, whose prompts are alike", 0.5, BySession, truth{Base: 0.4, Alike: 0.15, Length: 6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := plan(t, tt.share, tt.by, 0.2)
			none := simulate(p, tt.truth, runs, 1)
			// .083 is three standard errors above .05.
			assert.LessOrEqual(t, float64(none.Helps+none.Hurts)/runs, float64(0.083))
			tt.truth.Raise = 0.2
			some := simulate(p, tt.truth, runs, 2)
			assert.GreaterOrEqual(t, float64(some.Helps)/runs, float64(0.76))
			require.LessOrEqual(t, none.Longest, p.Prompts)
			assert.LessOrEqual(t, some.Longest, p.Prompts)
		})
	}
}

func TestSentence(t *testing.T) {
	cases := func(n int, hinted, held float64) []Case {
		var out []Case
		for i := range n {
			c := Case{Held: i%2 == 0}
			share := hinted
			if c.Held {
				share = held
			}
			c.Hit = float64(i/2%100) < 100*share
			out = append(out, c)
		}
		return out
	}
	tests := []struct {
		name  string
		cases []Case
		found Finding
		want  string
	}{
		{"nothing yet", nil, Running, "No result yet: 0 of at most 240 prompts have a finished turn."},
		{"five prompts", cases(5, 1, 0), Running,
			"No result yet; at most 235 more prompts are needed. So far the model used"},
		{"one arm only", cases(1, 1, 0), Running, "No result yet: "},
		{"a large effect", cases(400, .9, .1), Helps, "Suggestions help: the model used"},
		{"harm", cases(400, .1, .9), Hurts, "Suggestions do harm"},
		{"none", cases(2000, .5, .5), Nothing, "No effect was found"},
	}
	p := plan(t, 0.5, ByPrompt, 0.2)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Run(p, tt.cases)
			text := p.Sentence(got, fmt.Sprintf)
			if got.Found != tt.found || !strings.HasPrefix(text, tt.want) {
				t.Errorf("Run = %s, %q; want %s, %q …", got.Found, text, tt.found, tt.want)
			}
			require.LessOrEqual(t, got.Low, got.Difference)
			assert.GreaterOrEqual(t, got.High, got.Difference)
		})
	}
}
