package enrich

import (
	"context"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/triage"
)

const neighbours = 3

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
