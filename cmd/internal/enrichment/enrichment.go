// Package enrichment tells users which skills have expansions, and what more of them would cost.
package enrichment

import (
	"context"
	"fmt"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
)

// Skills reads every skill and agent that a session here could use. What cannot be read
// is left out: index reports it.
func Skills(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings) ([]catalog.Entry, error) {
	roots, _ := catalog.Roots(d, a.Cwd, s.Libraries)
	files, _ := catalog.Files(ctx, roots, nil)
	var out []catalog.Entry
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if entry, err := catalog.Read(roots[file.Root], file); err == nil {
			out = append(out, entry)
		}
	}
	if len(out) == 0 {
		return nil, app.Fail("`skillgate index` shows where it looks", "no skills found")
	}
	return out, nil
}

// Offer says, for "Expansions: …", how many skills have none and what asking for them
// would cost; "" where there are no skills, or the store or the settings cannot be read.
func Offer(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings) string {
	entries, err := Skills(ctx, a, d, s)
	if err != nil || enrich.CheckLanguages(s.Enrich.Languages) != nil {
		return ""
	}
	known, err := enrich.Load(d.State)
	if err != nil {
		return ""
	}
	var skills []enrich.Skill
	for _, entry := range known.Plan(entries, enrich.Select{Languages: s.Enrich.Languages}) {
		skills = append(skills, enrich.SkillOf(entry))
	}
	return offer(a.T, known.Len(), skills, s)
}

// offer says how many skills have an expansion, or what asking for those of skills would cost; say is
// a text in the user's language.
func offer(say func(string) string, have int, skills []enrich.Skill, s gate.Settings) string {
	if len(skills) == 0 {
		return fmt.Sprintf(say("every skill has one (%d)"), have)
	}
	provider, model := s.Enrich.Provider, s.Enrich.Model
	if provider == "claude" && model == "" {
		model = enrich.DefaultModel
	}
	x := enrich.EstimateFor(skills, s.Enrich.Languages, enrich.DefaultBatch)
	cost := fmt.Sprintf(say("about %s tokens"), enrich.Thousands(x.In+x.Out))
	if usd := enrich.ListPrice(provider, model, x); usd != nil {
		cost += fmt.Sprintf(say(", $%.2f at list price"), *usd)
	}
	return fmt.Sprintf(say("skills without: %d; `skillgate enrich` asks %s once what users type for them (%s)"),
		len(skills), enrich.ProviderName(provider, model), cost)
}
