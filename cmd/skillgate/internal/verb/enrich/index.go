package enrich

import (
	"context"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/enrich/roundtrip"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/triage"
)

// neighbours is how many others a provider is told about for each skill.
const neighbours = 3

// addNeighbours tells each skill the names and descriptions of those that its own
// description finds beside it.
func addNeighbours(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings, entries []catalog.Entry,
	skills []enrich.Skill) error {
	g, err := a.OpenSkills(ctx, d, s, nil)
	if err != nil {
		return err
	}
	defer g.Close()
	byID := make(map[string]*catalog.Entry, len(entries))
	for i := range entries {
		byID[entries[i].ID] = &entries[i]
	}
	bar := a.Progress("looking for neighbours", false)
	defer bar.Done()
	for i := range skills {
		skill := &skills[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		decision := g.Decide(ctx, gate.Request{Prompt: triage.Prompt{Kind: triage.Search,
			Text: skill.Name + "\n" + skill.Description}, K: neighbours + 1})
		for _, c := range decision.Candidates {
			if other := byID[c.ID]; other != nil && c.ID != skill.ID && c.Name != skill.Name &&
				len(skill.Neighbours) < neighbours {
				skill.Neighbours = append(skill.Neighbours, enrich.Neighbour{Name: other.Name, Description: other.Capability})
			}
		}
		bar.Set(i+1, len(skills))
	}
	return nil
}

// afterEnrich brings the index up to date with what was written, checks it and
// drops the phrases that belong to other skills. Skipped is the check alone.
func afterEnrich(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings, known *enrich.Store,
	run enrich.Report, skills []enrich.Skill, skipped bool) (*roundtrip.Report, error) {
	if err := a.RefreshSkills(ctx, d, s); err != nil || skipped {
		return nil, err
	}
	var only map[string]bool
	if run.Written < known.Len()/2 {
		only = make(map[string]bool, len(skills))
		for _, skill := range skills {
			only[skill.ID] = true
		}
	}
	report, err := checkInstalled(ctx, a, d, s, known, only)
	if err != nil {
		return nil, err
	}
	changed, err := roundtrip.Drop(known, report.Thieves)
	if err != nil || changed == 0 {
		return &report, err
	}
	err = a.RefreshSkills(ctx, d, s)
	return &report, err
}

// checkInstalled runs the round trip over the session's indexes, which must be up
// to date. only limits it by ID; nil checks all.
func checkInstalled(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings, known *enrich.Store,
	only map[string]bool) (roundtrip.Report, error) {
	o := a.Workspace(d, s)
	o.AsIs = true
	open, err := workspace.Indexes(ctx, &workspace.Source{Cwd: a.Cwd}, o)
	if err != nil {
		return roundtrip.Report{}, err
	}
	defer workspace.Close(open)
	return roundTrip(ctx, a, open, known.All(), only)
}

// roundTrip checks expansions against open indexes.
func roundTrip(ctx context.Context, a *app.App, open []*index.Index, list []enrich.Expansion,
	only map[string]bool) (roundtrip.Report, error) {
	if len(open) == 0 {
		return roundtrip.Report{}, index.ErrNoIndex
	}
	snapshot := index.Join(open...)
	bar := a.Progress("checking", false)
	defer bar.Done()
	return roundtrip.Check(ctx, snapshot, func(w rank.Weights) *rank.Ranker {
		return rank.New(snapshot, open[0].Dict, w)
	}, list, roundtrip.Options{Only: only, Progress: bar.Set})
}
