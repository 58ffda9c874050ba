package main

import (
	"context"
	"fmt"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
)

// enrichOffer says, for "Expansions: …", how many skills have none and what asking
// for them would cost; "" where there are no skills or no store can be read.
func (e *env) enrichOffer(ctx context.Context, d dirs.Dirs, s gate.Settings) string {
	entries, err := e.installed(ctx, d, s)
	if err != nil {
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
	if len(skills) == 0 {
		return fmt.Sprintf("every skill has one (%d)", known.Len())
	}
	f := enrichFlags{batch: defaultBatch, jobs: 1, attempts: 1, timeout: 1}
	if err := f.complete(e, s); err != nil {
		return "" // the command says what is wrong with the settings
	}
	if f.provider == "claude" && f.model == "" {
		f.model = defaultClaudeModel
	}
	r := enrichReport{Provider: f.provider, Model: f.model, Estimate: enrich.EstimateFor(skills, s.Enrich.Languages, defaultBatch)}
	r.USD = listPrice(f.provider, f.model, r.Estimate)
	cost := fmt.Sprintf("about %s tokens", thousands(r.Estimate.In+r.Estimate.Out))
	if r.USD != nil {
		cost += fmt.Sprintf(", $%.2f at list price", *r.USD)
	}
	return fmt.Sprintf("%d skills without; `skillgate enrich` asks %s once what users type for them (%s)", len(skills), providerName(r), cost)
}

// expansions reports the offer; to have none is no fault.
func (c *checkup) expansions(ctx context.Context) {
	if text := c.enrichOffer(ctx, c.dirs, c.settings); text != "" {
		c.add("expansions", statusOK, "", "%s", text)
	}
}
