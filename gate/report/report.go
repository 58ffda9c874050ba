// Package report creates an HTML page about past decisions. Its first screen says whether suggestions help, how certain
// that is, and what to do next. Trends, experiments, proposals with their replay, skills and misses follow.
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

// Page holds the data that Write shows.
type Page struct {
	Options
	Stats  store.Stats
	Misses []missRow
	Best   *arms.Arms // newest experiment with a result, else the newest; nil if one of its arms has no finished prompt
}

type missRow struct{ Time, Skill, Prompt, Verdict string }

const (
	mostRead   = 20_000 // number of newest decisions to search for misses
	mostMisses = 500    // maximum number of misses on the page
)

// ErrNone means that the filter selects no decision.
var ErrNone = errors.New("no logged decision matches the filter")

// Options configures a page.
type Options struct {
	Filter  store.Filter
	Catalog []string // names of the available skills
	Lang    string   // initial language: "en" or "ko"
	Now     time.Time
	Say     func(format string, args ...any) string // formats texts that exist in one language only; nil means English

	// The following data is optional.
	Weeks       []replay.Week
	Replayed    *advise.Part // result of replaying past prompts with the current settings and skills
	Judged      int          // number of newest prompts that Weeks, Again and Proposals cover; 0 means all
	Again       *replay.Again
	Experiments []arms.Arms // all experiments, oldest first
	Proposals   []advise.Proposal
	Applied     []Applied
	Advised     bool // Proposals were computed, even if there are none
}

// Applied is one applied proposal.
type Applied struct{ Date, Text string }

// Build collects the decisions in db that the filter selects. It returns ErrNone if there are none.
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
		for _, name := range entry.Missed {
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
