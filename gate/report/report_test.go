package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// decided returns a journal with decisions a day apart and the uses after each.
func decided(t *testing.T, list []gate.Decision, uses map[int]string) *store.DB {
	t.Helper()
	dir := t.TempDir()
	for i, d := range list {
		at := noon.AddDate(0, 0, i-len(list))
		r := journal.New(journal.KindDecision, at)
		r.Session, r.PromptID, r.Cwd = "s", fmt.Sprint(i), dir
		r.SetDecision(d, journal.Full, nil)
		require.NoError(t, journal.Append(dir, r))
		if skill := uses[i]; skill != "" {
			o := journal.New(journal.KindOutcome, at.Add(time.Second))
			o.Session, o.PromptID, o.Cwd = r.Session, r.PromptID, r.Cwd
			o.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: skill, Success: true, Source: "PostToolUse"}
			require.NoError(t, journal.Append(dir, o))
		}
	}
	db, err := store.Open(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	_, err = db.Fold(t.Context(), noon, time.Second)
	require.NoError(t, err)
	return db
}

func named(prompt string, scores ...float64) gate.Decision {
	d := gate.Decision{Prompt: prompt, Lang: "en", Verdict: gate.Inject, Need: .9, Ms: gate.Timing{Total: 5}}
	for i, s := range scores {
		d.Candidates = append(d.Candidates, gate.Candidate{Rank: i + 1, Name: []string{"kettle", "samovar", "mill"}[i], Score: s, Injected: i == 0})
	}
	return d
}

func TestBuild(t *testing.T) {
	db := decided(t, []gate.Decision{
		named("boil the water", 10, 9.9), named("boil it again", 10, 9.6), named("boil all of it", 10, 5),
		{Prompt: "grind\tthe  beans <b>now</b>", Lang: "en", Verdict: gate.Silent, Reason: gate.BelowNeedMin, Need: .1},
	}, map[int]string{0: "kettle", 3: "mill"})
	p, err := Build(t.Context(), db, Options{Catalog: []string{"kettle", "mill", "loom"}, Lang: "ko", Now: noon})
	require.NoError(t, err)
	if p.Stats.Decisions != 4 || len(p.Stats.NeverUsed) != 1 || p.Stats.NeverUsed[0] != "loom" {
		t.Errorf("stats are %d decisions, never used %q", p.Stats.Decisions, p.Stats.NeverUsed)
	}
	if len(p.Misses) != 1 || p.Misses[0].Skill != "mill" || p.Misses[0].Prompt != "grind the beans <b>now</b>" || p.Misses[0].Verdict != "silent" {
		t.Errorf("misses are %+v", p.Misses)
	}
	var page strings.Builder
	require.NoError(t, p.Write(&page))
	if text := page.String(); !strings.Contains(text, ">2026-02-28 to 2026-03-03,<") || !strings.Contains(text, ">created 2026-03-04 12:00<") ||
		!strings.Contains(text, ">2026-02-28 ~ 2026-03-03,<") {
		t.Error("the page does not say of which days it is")
	} else if !strings.Contains(text, "&lt;b&gt;now") || strings.Contains(text, "<b>now") || strings.Contains(text, "http://") {
		t.Error("the page has a prompt's markup, or an address of the network")
	}
}

// Charts that rest on fewer prompts than the page say so.
func TestWeeksSayWhatTheyRestOn(t *testing.T) {
	db := decided(t, []gate.Decision{named("boil the water", 10)}, nil)
	for judged, want := range map[int]bool{0: false, 20: true} {
		p, err := Build(t.Context(), db, Options{Now: noon, Weeks: []replay.Week{{}}, Judged: judged})
		require.NoError(t, err)
		var page strings.Builder
		require.NoError(t, p.Write(&page), judged)
		assert.Equal(t, want, strings.Contains(page.String(), "the newest 20 prompts"), judged)
	}
}

func TestReplayIsDrawn(t *testing.T) {
	db := decided(t, []gate.Decision{named("boil the water", 10), named("boil it again", 10)}, map[int]string{0: "kettle", 1: "mill"})
	p, err := Build(t.Context(), db, Options{Now: noon,
		Replayed: &advise.Part{Prompts: 20, Caught: 3, Lost: 1, Spared: 2, Other: 5}})
	require.NoError(t, err)
	var page strings.Builder
	require.NoError(t, p.Write(&page))
	for _, want := range []string{
		"3 of the newest 20 prompts get a skill that was used but not suggested then, and 1 lose one",
		"<title>better: 3 prompts now get the skill that was used, and 2 lose an unused suggestion; " +
			"worse: 1 lose the skill that was used, and 0 get an unused suggestion</title>",
	} {
		assert.Contains(t, page.String(), want)
	}
}

func TestBuildOfNothing(t *testing.T) {
	db := decided(t, []gate.Decision{named("boil the water", 10)}, nil)
	_, err := Build(t.Context(), db, Options{Filter: store.Filter{Lang: "ko"}, Now: noon})
	assert.ErrorIs(t, err, ErrNone)
}

func TestEmptyCharts(t *testing.T) {
	assert.Nil(t, effectPlot(advise.Part{Prompts: 3, Other: 2}, 1))
	var p Page
	for name, chart := range map[string]string{"weeks": string(p.weekChart().svg()), "rates": string(p.followChart().svg())} {
		if !strings.HasPrefix(chart, "<svg") || !strings.Contains(chart, "</svg>") || strings.Contains(chart, "NaN") {
			t.Errorf("the empty chart of %s is %s", name, chart)
		}
	}
}
