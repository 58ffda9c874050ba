package replay

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/triage"
)

// injects returns a decision that suggests the first n candidates. Each letter is a candidate's name.
func injects(n int, names string, scores ...float64) *gate.Decision {
	d := &gate.Decision{Verdict: gate.Inject, Need: .9, Candidates: []gate.Candidate{}}
	if n == 0 {
		d.Verdict, d.Reason, d.Need = gate.Silent, gate.BelowNeedMin, .1
	}
	for i, s := range scores {
		d.Candidates = append(d.Candidates, gate.Candidate{Rank: i + 1, Name: names[i : i+1], Pool: "skill", Score: s, Injected: i < n,
			Matched: []gate.Match{{Term: "tea", Field: "name", Score: s}}})
	}
	return d
}

func with(d *gate.Decision, change func(d *gate.Decision)) *gate.Decision {
	change(d)
	return d
}

func TestCompareAndCause(t *testing.T) {
	settings := func(change func(s *gate.Settings)) *Side {
		s := gate.Settings{NeedMin: .5, ScoreMin: 4, TopK: 5}
		change(&s)
		return &Side{Name: "x", Settings: s}
	}
	same := settings(func(*gate.Settings) {})
	for _, tt := range []struct {
		name   string
		a, b   *gate.Decision
		sb     *Side
		want   Change
		causes []string // parts of the cause
	}{
		{"the same", injects(1, "kt", 9, 3), injects(1, "kt", 9, 3), same, Unchanged, nil},
		{"both silent", injects(0, "kt", 9), injects(0, "tk", 2), same, Unchanged, nil},
		{"a lower need_min", injects(0, "k", 9), injects(1, "k", 9), settings(func(s *gate.Settings) { s.NeedMin = .05 }),
			NowFires, []string{"need 0.100 → 0.900", "need_min 0.5 → 0.05"}},
		{"a higher score_min", injects(1, "k", 9), with(injects(0, "k", 9),
			func(d *gate.Decision) { d.Reason = gate.BelowScoreMin }), settings(func(s *gate.Settings) { s.ScoreMin = 10 }),
			NowSilent, []string{"score 9.00 in both cases", "score_min 4 → 10"}},
		{"a lower score", injects(1, "k", 9), with(injects(0, "k", 3),
			func(d *gate.Decision) { d.Reason = gate.BelowScoreMin }), same, NowSilent,
			[]string{"score 9.00 → 3.00", "score_min 4", "tea in name -6.00"}},
		{"no candidate", injects(1, "k", 9), with(injects(0, ""), func(d *gate.Decision) { d.Reason = gate.NoCandidates }),
			same, NowSilent, []string{"no skill shares a word"}},
		{"the pre-filter", injects(1, "k", 9), &gate.Decision{Verdict: gate.Skip, Reason: gate.Greeting}, same, NowSilent,
			[]string{"triage: searched → greeting"}},
		{"asked for by name", injects(0, "k", 9), with(injects(1, "k", 9),
			func(d *gate.Decision) { d.Verdict = gate.Force }), same, NowFires, []string{"asked for by name: k"}},
		{"no longer asked for", with(injects(1, "k", 9), func(d *gate.Decision) { d.Verdict = gate.Force }),
			injects(0, "k", 9), same, NowSilent, []string{"no longer asked for by name: k"}},
		{"another winner that gained", injects(1, "kt", 9, 3), injects(1, "tk", 12, 9), same, Winner,
			[]string{"t scores 3.00 → 12.00: tea in name +9.00; k scores 9.00 in both cases"}},
		{"another winner because the first lost", injects(1, "kt", 9, 6), injects(1, "tk", 6.5, 2), same, Winner, []string{"k scores 9.00 → 2.00"}},
		{"a new skill", injects(1, "k", 9), injects(1, "nk", 12, 9), same, Winner, []string{"n (score 12.00) is now a candidate", "k scores 9.00 in both cases"}},
		{"a skill that is gone", injects(1, "kt", 9, 6), injects(1, "t", 6), same, Winner,
			[]string{"k (score 9.00) is no longer a candidate", "t scores 6.00 in both cases"}},
		{"nothing in common", injects(1, "k", 9), injects(1, "t", 8), same, Winner,
			[]string{"t (score 8.00) is now a candidate", "k (score 9.00) is no longer a candidate"}},
		{"scores are the same", injects(1, "kt", 9, 9), injects(1, "tk", 9, 9), same, Winner, []string{"t scores 9.00 in both cases; k scores 9.00 in both cases"}},
		{"another second", injects(2, "ktm", 9, 6, 3), injects(2, "kmt", 9, 8, 6), same, Rank, []string{"m scores 3.00 → 8.00"}},
		{"more are named", injects(1, "kt", 9, 6), injects(2, "kt", 9, 6), settings(func(s *gate.Settings) { s.TopK = 9 }), Number, []string{"top_k 5 → 9"}},
		{"more by a threshold", injects(1, "kt", 9, 6), injects(2, "kt", 9, 6), same, Number, []string{"t scores 6.00 in both cases"}},
		{"more by a score", injects(1, "kt", 9, 3), injects(2, "kt", 9, 6), same, Number, []string{"t scores 3.00 → 6.00"}},
		{"fewer, one is gone", injects(2, "kt", 9, 6), injects(1, "k", 9), same, Number, []string{"t (score 6.00) is no longer a candidate"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Compare(tt.a, tt.b)
			why := cause(got, &Answer{Decision: tt.a}, &Answer{Decision: tt.b}, same, tt.sb)
			require.Equal(t, tt.want, got)
			assert.Equal(t, tt.want == Unchanged, why == "")
			for _, part := range tt.causes {
				assert.Contains(t, why, part)
			}
		})
	}
}

func TestTermDifference(t *testing.T) {
	match := func(term, via string, score float64) gate.Match {
		return gate.Match{Term: term, Via: via, Field: "triggers", Score: score}
	}
	for _, tt := range []struct {
		name          string
		before, after []gate.Match
		want          string
	}{
		{"one term", nil, []gate.Match{match("tea", "", 2)}, "tea in triggers +2.00"},
		{"the two that moved most", []gate.Match{match("tea", "", 3), match("cup", "", 1), match("pot", "", .5)},
			[]gate.Match{match("cup", "", 3), match("pot", "", .4)}, "tea in triggers -3.00, cup in triggers +2.00"},
		{"a translation", nil, []gate.Match{match("차", "tea", 1)}, "차→tea in triggers +1.00"},
		{"a word that is not kept", nil, []gate.Match{match("", "", 1)}, "a word that was not logged in triggers +1.00"},
		{"nothing", []gate.Match{match("tea", "", 3)}, []gate.Match{match("tea", "", 3.001)}, "no single term accounts for this"},
	} {
		assert.Equal(t, tt.want, termDifference(tt.before, tt.after), tt.name)
	}
}

func TestMatches(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	p := &Prompt{Time: noon, Session: "abc", Lang: "ko", Cwd: "/work/site/api", Recorded: injects(1, "k", 9),
		Uses: []journal.Outcome{{Tool: journal.ToolSkill, Skill: "kettle", Success: true}}}
	for _, tt := range []struct {
		name   string
		filter store.Filter
		want   bool
	}{
		{"none", store.Filter{}, true},
		{"since then", store.Filter{Since: noon}, true},
		{"since later", store.Filter{Since: noon.Add(1)}, false},
		{"until then", store.Filter{Until: noon}, false},
		{"until later", store.Filter{Until: noon.Add(1)}, true},
		{"the start of the session", store.Filter{Session: "ab"}, true},
		{"another session", store.Filter{Session: "b"}, false},
		{"the language", store.Filter{Lang: "ko"}, true},
		{"another language", store.Filter{Lang: "en"}, false},
		{"its folder", store.Filter{Project: "/work/site/api"}, true},
		{"a folder above", store.Filter{Project: "/work/site/"}, true},
		{"a folder that begins alike", store.Filter{Project: "/work/si"}, false},
		{"the verdict", store.Filter{Verdict: "inject"}, true},
		{"another verdict", store.Filter{Verdict: "silent"}, false},
		{"another reason", store.Filter{Reason: "ack"}, false},
		{"a skill that was used", store.Filter{Skill: "kettle"}, true},
		{"another skill", store.Filter{Skill: "oven"}, false},
	} {
		got := Matches(tt.filter, p)
		assert.Equal(t, tt.want, got, "%s: Matches(%+v) = %v", tt.name, tt.filter, got)
	}
	assert.False(t, Matches(store.Filter{Verdict: "inject"}, &Prompt{}), "a prompt without a decision has a verdict")
}

func TestForms(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Prompt
		form Form
		read string // the text that is searched
	}{
		{"a text", Prompt{Text: "boil the water"}, Exact, "boil the water"},
		{"terms", Prompt{Terms: []string{"boil", "water"}, Level: journal.Terms}, Approximate, "boil water"},
		{"no term was left", Prompt{Level: journal.Terms}, Approximate, ""},
		{"the start of a text", Prompt{Text: "boil the water", Cut: true, Terms: []string{"boil", "kettle"}}, Approximate, "boil the water kettle"},
		{"an empty prompt", Prompt{Level: journal.Full, Recorded: injects(0, "")}, Exact, ""},
		{"a hash", Prompt{Level: journal.Hash, Recorded: injects(0, "")}, Impossible, ""},
	} {
		got := reading(&tt.p)
		if tt.p.Form() != tt.form || tt.form != Impossible && tt.read != "" && (got.Text != tt.read || got.Kind != triage.Search) {
			t.Errorf("%s: %s, read as %s %q, want %s, %q", tt.name, tt.p.Form(), got.Kind, got.Text, tt.form, tt.read)
		}
	}
}

// Rounding must not make a cause say that a value changed to itself.
func TestCausesSayWhatMoved(t *testing.T) {
	itself := regexp.MustCompile(`(-?\d+\.\d+) → (-?\d+\.\d+)\b`)
	side := &Side{Settings: gate.Settings{NeedMin: .5, ScoreMin: 5.1, TopK: 5}}
	seen := 0
	for i := range 40 {
		d := 0.0005 * float64(i) // up to .02; scores are shown with two digits
		for _, pair := range [][2]*gate.Decision{
			{injects(1, "kt", 9, 5.0961), injects(2, "kt", 9, 5.0961+d)},
			{injects(1, "k", 5.1), with(injects(0, "k", 5.1-d), func(d *gate.Decision) { d.Reason = gate.BelowScoreMin })},
			{injects(1, "kt", 5.0961+d, 5.0961), injects(1, "tk", 5.0961+d, 5.0961)},
			{with(injects(1, "k", 9), func(x *gate.Decision) { x.Need = .50049 }),
				with(injects(0, "k", 9), func(x *gate.Decision) { x.Need, x.Reason = .50049-d/10, gate.BelowNeedMin })},
		} {
			a, b := &Answer{Decision: pair[0]}, &Answer{Decision: pair[1]}
			text := cause(Compare(pair[0], pair[1]), a, b, side, side)
			for _, m := range itself.FindAllStringSubmatch(text, -1) {
				if seen++; m[1] == m[2] {
					t.Errorf("by %.4f: %q", d, text)
				}
			}
			require.NotContains(t, text, "-0.00", d)
			assert.NotContains(t, text, "+0.00", d)
		}
	}
	assert.GreaterOrEqual(t, seen, 40)
}
