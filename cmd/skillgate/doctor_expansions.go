package main

import (
	"context"

	"github.com/skillgate/skillgate/cmd/skillgate/internal/enrichment"
)

// expansions reports the offer; to have none is no fault.
func (c *checkup) expansions(ctx context.Context) {
	if text := enrichment.Offer(ctx, c.app(), c.dirs, c.settings); text != "" {
		c.add("expansions", statusOK, "", "%s", text)
	}
}
