// Package enrichment is what commands say of the expansions of skills: what there are,
// and what more would cost.
package enrichment

import (
	"context"

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
	return enrich.Offer(known.Len(), skills, s.Enrich.Provider, s.Enrich.Model, s.Enrich.Languages)
}
