// Package report makes a page of past decisions. Its first screen answers three questions:
// does it help, how sure is that, what should be done next. Below stand trends, experiments,
// proposals with what a replay says of them, skills, misses, silence and times.
package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/cells"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/history"
	"github.com/skillgate/skillgate/gate/internal/markup"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/triage"
)

// Page is what the page shows.
type Page struct {
	Lang              string
	Span, SpanKo      string
	Stats             store.Stats
	ScoreMin, NeedMin float64
	Help              help
	Proposals         []proposal
	Applied           []Applied
	Again             *history.Again
	Judged            int // see Options
	Experiments       []trial
	Saved             []*replay.Summary
	Weeks, Follow     markup.Text
	Days              markup.Text
	Scores, Needs     markup.Text
	Skills            []skillRow
	Now               *now
	Misses            []missRow
	zone              *time.Location
	Collisions        []collision
}

// skillRow is a skill with a plot of its weeks.
type skillRow struct {
	store.SkillStats
	Plot markup.Text
}

type missRow struct{ Time, Skill, Prompt, Verdict string }

type collision struct {
	A, B  string
	Count int
}

const (
	mostRead       = 20_000 // of the newest decisions, for misses and collisions
	mostMisses     = 500    // rows of the page
	mostCollisions = 200    //
	collisionShare = 0.95   // of the first one's score: as close as what the model is told "close to the previous one"
)

// ErrNone says that the filter leaves no decision.
var ErrNone = errors.New("no decision to report")

// Options say what a page is about.
type Options struct {
	Filter            store.Filter
	Catalog           []string // names of the skills that could have been offered
	Lang              string   // in which the page opens, en or ko
	ScoreMin, NeedMin float64  // thresholds to mark
	Now               time.Time
	Say               func(format string, args ...any) string // what has one language on the page; nil: in English

	// What is told where it is given.
	Weeks       []history.Week
	Skills      map[string][]history.SkillWeek // of each skill by name
	Replayed    *advise.Part                   // what this machine as it is does to past prompts
	Judged      int                            // prompts that Weeks, Again and Proposals rest on, the newest; 0: all
	Again       *history.Again
	Experiments []arms.Arms       // oldest first
	Saved       []*replay.Summary // replays that were saved
	Proposals   []advise.Proposal
	Applied     []Applied
	Advised     bool // Proposals are all there are, and not left out
}

// Applied is a proposal that was carried out and measured again.
type Applied struct {
	Date, Text    string
	Verdict       string
	Before, After *outcome.Rate
}

// Build collects the decisions of db that the filter leaves; ErrNone where it leaves none.
func Build(ctx context.Context, db *store.DB, o Options) (*Page, error) {
	p := &Page{Lang: o.Lang, ScoreMin: o.ScoreMin, NeedMin: o.NeedMin}
	zone := o.Now.Location()
	p.zone = zone
	var err error
	p.Stats, err = db.Stats(ctx, o.Filter, store.StatsOptions{Catalog: o.Catalog, Zone: zone})
	if err != nil {
		return nil, err
	}
	if err := p.collect(ctx, db, o.Filter, zone); err != nil {
		return nil, err
	}
	if p.Stats.Decisions == 0 {
		return nil, ErrNone
	}
	first, last := p.Stats.First.In(zone).Format(time.DateOnly), p.Stats.Last.In(zone).Format(time.DateOnly)
	p.Span = fmt.Sprintf("%s to %s, made %s", first, last, o.Now.Format("2006-01-02 15:04"))
	p.SpanKo = fmt.Sprintf("%s ~ %s, 작성 %s", first, last, o.Now.Format("2006-01-02 15:04"))
	p.Days = dayChart(p.Stats.PerDay)
	o.Weeks = filled(o.Weeks, func(w history.Week) time.Time { return w.From }, 7,
		func(t time.Time) history.Week { return history.Week{From: t} })
	if len(o.Weeks) > 0 {
		p.Weeks, p.Follow = weekChart(o.Weeks), followChart(o.Weeks)
	}
	p.Again, p.Applied, p.Judged, p.Saved = o.Again, o.Applied, o.Judged, o.Saved
	p.answer(o)
	for _, s := range p.Stats.Skills {
		p.Skills = append(p.Skills, skillRow{s, skillChart(o.Skills[s.Name], o.Weeks)})
	}
	p.Scores, p.Needs = bucketChart(p.Stats.Score, p.ScoreMin), bucketChart(p.Stats.Need, p.NeedMin)
	return p, nil
}

// collect finds what stats does not.
func (p *Page) collect(ctx context.Context, db *store.DB, filter store.Filter, zone *time.Location) error {
	pairs := map[[2]string]int{}
	filter.Newest, filter.Limit = true, mostRead
	err := db.Each(ctx, filter, func(entry store.Entry) error {
		list := entry.Decision.Candidates
		if len(list) > 1 && list[0].Injected && list[0].Score > 0 && list[0].Step == list[1].Step &&
			list[1].Score >= collisionShare*list[0].Score {
			pair := []string{list[0].Name, list[1].Name}
			slices.Sort(pair)
			pairs[[2]string{pair[0], pair[1]}]++
		}
		for _, name := range entry.Missed { // the newest first
			p.Misses = append(p.Misses, missRow{
				Time: entry.Time.In(zone).Format("2006-01-02 15:04"), Skill: name,
				Prompt:  cells.Clip(strings.Join(strings.Fields(triage.Typed(entry.PromptText())), " "), 100),
				Verdict: string(entry.Decision.Verdict),
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for pair, n := range pairs {
		p.Collisions = append(p.Collisions, collision{pair[0], pair[1], n})
	}
	slices.SortFunc(p.Collisions, func(a, b collision) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	p.Collisions = p.Collisions[:min(len(p.Collisions), mostCollisions)]
	p.Misses = p.Misses[:min(len(p.Misses), mostMisses)]
	return nil
}
