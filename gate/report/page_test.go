package report

import (
	"bufio"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
)

// full returns a page with all parts. Texts of users in it contain markup.
func full(t *testing.T) string {
	t.Helper()
	db := decided(t, []gate.Decision{
		named("boil the water", 10, 9.9), named("boil it again", 10, 9.6), named("boil all of it", 10, 5),
		{Prompt: "grind <b>now</b>", Lang: "en", Verdict: gate.Silent, Reason: gate.BelowNeedMin, Need: .1},
	}, map[int]string{0: "kettle", 3: "mill"})
	ended := noon.AddDate(0, 0, 1)
	rate := &outcome.Rate{Value: .5, Low: .2, High: .8, Hits: 5, N: 10}
	test := experiment.Test{Found: experiment.Helps, Cases: 40, Hinted: *rate, Held: outcome.Rate{Value: .1, N: 10},
		Difference: .4, Low: .1, High: .7}
	week := replay.Week{From: noon, Prompts: 9, Hints: outcome.Tally{Named: 4, Known: 3, Followed: 2, Rate: rate}}
	p, err := Build(t.Context(), db, Options{
		Catalog: []string{"kettle", "mill", "loom<i>"}, Lang: "ko", Now: noon,
		Weeks: []replay.Week{week}, Judged: 20,
		Again: &replay.Again{Regressions: []replay.Regression{
			{Skill: "mill<i>", Cause: "<i>cause", Prompts: []string{"a", "b"}}, {Skill: "churn", Prompts: []string{"c"}},
			{Skill: "sieve", Cause: "a sieve's cause", Prompts: []string{"d"}}}},
		Experiments: []arms.Arms{{Plan: &experiment.Plan{Started: noon}, Test: experiment.Test{Found: experiment.Running}},
			{Plan: &experiment.Plan{Started: noon, Ended: &ended}, Test: test}},
		Replayed: &advise.Part{Prompts: 20, Caught: 3, Lost: 1},
		Proposals: []advise.Proposal{
			{Text: "take <i>this", Evidence: "evidence", Risk: "risk",
				Effect: &advise.Effect{HeldOut: advise.Part{Caught: 3, Lost: 1}}},
			{Text: "or that", Evidence: "evidence", Risk: "risk",
				Effect: &advise.Effect{HeldOut: advise.Part{Spared: 6}}},
			{Text: "third", Evidence: "evidence", Risk: "risk"}, {Text: "fourth", Evidence: "evidence", Risk: "risk"},
		},
		Applied: []Applied{{Date: "2026-03-01", Text: "changed <i>"}},
	})
	require.NoError(t, err)
	var page strings.Builder
	require.NoError(t, p.Write(&page))
	return page.String()
}

func TestPageHasEveryPart(t *testing.T) {
	page := full(t)
	for _, want := range []string{
		`<html lang="ko" data-lang="ko">`, "<style>", "With a suggestion, the model used a suggested skill after 50 %",
		"take &lt;i&gt;this<br><code>skillgate advise apply 1</code>", "<code>skillgate advise apply 3</code>",
		">-10<", ">0<", "of 0 prompts, 3 get the skill they needed and 1 lose it",
		"third <code>skillgate advise apply 3</code>", "<code>skillgate stats NAME</code>",
		"<b>mill&lt;i&gt;</b>", "after which it was used (2): &lt;i&gt;cause", `<b id="decisions">4</b>`,
		"the newest 20 prompts", `<span class="soft">2026-03-04 – 2026-03-05</span>`,
		"changed &lt;i&gt;",
		`<section class="wide" id="now">`, `<table class="sort" id="skills">`,
		"grind &lt;b&gt;now&lt;/b&gt;",
		`<span id="dead">1</span>`, "loom&lt;i&gt;", "</main>\n<script>",
	} {
		assert.Contains(t, page, want)
	}
	require.Equal(t, 1, strings.Count(page, "fourth"), "the first screen does not show three proposals")
	assert.Equal(t, 2, strings.Count(page, ">third<")+strings.Count(page, ">third "))
	require.Equal(t, 0, strings.Count(page, "<b>sieve</b>"))
	assert.Equal(t, 1, strings.Count(page, "a sieve&#39;s cause"))
	for _, width := range []string{`x="300.0" y="4.0" width="145.0"`, `x="300.0" y="4.0" width="290.0"`} { // 3 and 6 of 6
		assert.Contains(t, page, `<rect class="b" `+width, width)
	}
	for _, tag := range []string{"section", "table", "div", "p", "span", "svg", "li"} {
		opened := len(regexp.MustCompile("<"+tag+`[ >]`).FindAllString(page, -1))
		if closed := strings.Count(page, "</"+tag+">"); opened == 0 || opened != closed {
			t.Errorf("%d <%s> and %d </%s>", opened, tag, closed, tag)
		}
	}
	require.NotContains(t, page, "<i>", "the page has markup that users wrote, or a value that is missing")
	assert.NotContains(t, page, "%!", "the page has markup that users wrote, or a value that is missing")
}

// No line begins with a colon, because a CI runner could take it for a command.
func TestPageHasNoLineThatBeginsWithAColon(t *testing.T) {
	for line := range strings.Lines(pageHTML) {
		assert.False(t, strings.HasPrefix(strings.TrimSpace(line), ":"), "the page has the line %q", line)
	}
}

func TestPageWithoutWeeks(t *testing.T) {
	p, err := Build(t.Context(), decided(t, []gate.Decision{named("boil the water", 10)}, nil), Options{Now: noon})
	require.NoError(t, err)
	var page strings.Builder
	require.NoError(t, p.Write(&page))
	none := strings.Count(page.String(), `<p><span data-t="en" lang="en">none<`)
	require.Equal(t, 1, none, "a list of nothing has a head alone")
	assert.NotContains(t, page.String(), `id="misses"`, "a list of nothing has a head alone")
	for head, want := range map[string]bool{"Prompts by week": false, "Follow rate by week": false} {
		assert.Equal(t, want, strings.Contains(page.String(), head), "the page has %q: %t, want %t", head, !want, want)
	}
}

func TestNextStep(t *testing.T) {
	watched := outcome.Tally{Named: 4, Known: 4}
	lost := &replay.Again{Regressions: []replay.Regression{{Skill: "mill"}}}
	for name, tt := range map[string]struct {
		follow  outcome.Tally
		again   *replay.Again
		advised bool
		want    string
		reasons []store.Count
	}{
		"silent for lack of time": {watched, &replay.Again{}, true, "character limit: 3. ",
			[]store.Count{{Name: "deadline", Count: 2}, {Name: "budget", Count: 1}}},
		"nobody asked":                {watched, nil, false, "skillgate advise", nil},
		"all is well":                 {watched, &replay.Again{}, true, ">Nothing to change.<", nil},
		"enough for an experiment":    {outcome.Tally{Named: 30, Known: 20}, &replay.Again{}, true, "skillgate experiment start", nil},
		"something no longer works":   {watched, lost, true, "skillgate stats", nil},
		"no turn is known to end":     {outcome.Tally{Named: 4, Unknown: 4}, &replay.Again{}, true, "skillgate doctor", nil},
		"no hint was given, and none": {outcome.Tally{}, &replay.Again{}, true, ">Nothing to change.<", nil},
	} {
		p := &Page{Options: Options{Again: tt.again, Advised: tt.advised}}
		p.Stats.Follow, p.Stats.ByReason = tt.follow, tt.reasons
		var next strings.Builder
		w := writer{bufio.NewWriter(&next), parts()}
		p.writeNext(w)
		if w.Flush(); !strings.Contains(next.String(), tt.want) {
			t.Errorf("%s: the next step is %q, want %q in it", name, next.String(), tt.want)
		}
	}
}
