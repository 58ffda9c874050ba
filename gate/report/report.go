// Package report makes a page of past decisions. Its first screen answers three questions:
// does it help, how sure is that, what should be done next. Below it are trends, experiments,
// proposals with what a replay says of them, skills, misses, silence and times.
package report

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/advise"
	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/triage"
)

// Page is what the page shows.
type Page struct {
	Options
	Stats  store.Stats
	Misses []missRow
	Best   *arms.Arms // the experiment that answers whether hints help; nil if none can
}

type missRow struct{ Time, Skill, Prompt, Verdict string }

const (
	mostRead   = 20_000 // of the newest decisions, for misses
	mostMisses = 500    // rows of the page
)

// ErrNone says that the filter leaves no decision.
var ErrNone = errors.New("no decision to report")

// Options say what a page is about.
type Options struct {
	Filter  store.Filter
	Catalog []string // names of the skills that could have been offered
	Lang    string   // in which the page opens, en or ko
	Now     time.Time
	Say     func(format string, args ...any) string // what has one language on the page; nil: in English

	// The page has these parts if they are given.
	Weeks       []replay.Week
	Replayed    *advise.Part // what this machine as it is does to past prompts
	Judged      int          // prompts that Weeks, Again and Proposals rest on, the newest; 0: all
	Again       *replay.Again
	Experiments []arms.Arms // oldest first
	Proposals   []advise.Proposal
	Applied     []Applied
	Advised     bool // Proposals are all there are, and not left out
}

// Applied is a proposal that was carried out.
type Applied struct{ Date, Text string }

// Build collects the decisions of db that the filter leaves; ErrNone if it leaves none.
func Build(ctx context.Context, db *store.DB, o Options) (*Page, error) {
	p := &Page{Options: o}
	if p.Say == nil {
		p.Say = fmt.Sprintf
	}
	p.Weeks = filled(o.Weeks)
	for i := range o.Experiments {
		x := &o.Experiments[i]
		if x.Test.Found != experiment.Running || p.Best == nil || p.Best.Test.Found == experiment.Running {
			p.Best = x
		}
	}
	if p.Best != nil && (p.Best.Test.Hinted.N == 0 || p.Best.Test.Held.N == 0) {
		p.Best = nil
	}
	var err error
	p.Stats, err = db.Stats(ctx, o.Filter, store.StatsOptions{Catalog: o.Catalog, Zone: o.Now.Location()})
	if err == nil {
		err = p.collect(ctx, db)
	}
	if err == nil && p.Stats.Decisions == 0 {
		err = ErrNone
	}
	return p, err
}

func (p *Page) collect(ctx context.Context, db *store.DB) error {
	filter := p.Filter
	filter.Newest, filter.Limit = true, mostRead
	err := db.Each(ctx, filter, func(entry store.Entry) error {
		for _, name := range entry.Missed { // the newest first
			p.Misses = append(p.Misses, missRow{
				Time: entry.Time.In(p.Now.Location()).Format("2006-01-02 15:04"), Skill: name,
				Prompt:  wording.Clip(strings.Join(strings.Fields(triage.Typed(entry.PromptText())), " "), 100),
				Verdict: string(entry.Decision.Verdict),
			})
		}
		return nil
	})
	p.Misses = p.Misses[:min(len(p.Misses), mostMisses)]
	return err
}
