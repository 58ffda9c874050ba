package gate

import (
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/gate/index"
)

// trusts reports whether a skill's risk, which lint estimated when it was indexed, is
// within trust.max_risk. It notes skills that are not, for the log.
func (g *Gate) trusts(doc index.Doc) bool {
	limit := g.Settings.Trust.MaxRisk
	risk := float64(doc.Risk) / 255
	// A risk is kept in 255 steps: one of .6 must pass a limit of .6.
	if risk <= limit+1.0/510 {
		return true
	}
	note := fmt.Sprintf("left out for its risk: %s (%.2f, trust.max_risk %.2f)", doc.ID, risk, limit)
	if len(g.distrusted) < maxDistrusted && !slices.Contains(g.distrusted, note) {
		g.distrusted = append(g.distrusted, note)
	}
	return false
}

const maxDistrusted = 5
