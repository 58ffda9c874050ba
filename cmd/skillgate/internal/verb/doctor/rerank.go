package doctor

import (
	"context"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/rerank/check"
)

// rerank adds what keeps reranking, where it is on, from its work. The hook does
// its own without it: nothing here is worse than a warning.
func (c *checkup) rerank(ctx context.Context) {
	if c.settings.Rerank.Enabled {
		for _, f := range check.Run(ctx, c.Helper(c.dirs, c.settings), build.Read().Version) {
			status := statusOK
			if f.Fix != "" {
				status = statusWarn
			}
			c.add("rerank", status, f.Fix, "%s", f.Text)
		}
	}
}
