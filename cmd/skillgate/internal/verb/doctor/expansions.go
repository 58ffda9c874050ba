package doctor

import (
	"context"

	"github.com/skillgate/skillgate/cmd/internal/enrichment"
)

// expansions reports the offer; having none is not a fault.
func (c *checkup) expansions(ctx context.Context) {
	if text := enrichment.Offer(ctx, c.App, c.dirs, c.settings); text != "" {
		c.add("expansions", statusOK, "", "%s", text)
	}
}
