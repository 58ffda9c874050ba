package doctor

import (
	"context"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/check"
	"github.com/skillgate/skillgate/gate/rerank/model"
)

// rerank adds what keeps reranking from its work, if it is on or a model is installed. The hook
// does its own without it: nothing here is worse than a warning.
func (c *checkup) rerank(ctx context.Context) {
	models, err := model.List(rerank.Store(c.dirs))
	if !c.settings.Rerank.Enabled && (err != nil || len(models) == 0) {
		return
	}
	for _, f := range check.Run(ctx, c.Helper(c.dirs, c.settings), build.Read().Version) {
		status := statusOK
		if f.Fix != "" {
			status = statusWarn
		}
		c.add("rerank", status, f.Fix, "%s", f.Text)
	}
}
