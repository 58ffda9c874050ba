package lint

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
)

func usage(ctx context.Context, a *app.App, d dirs.Dirs) map[string]lint.Usage {
	if !store.Exists(d.State) {
		return nil
	}
	out, err := askJournal(ctx, a)
	if err != nil {
		a.Note("%v; lint continues without the log", err)
		if exit := (*app.Error)(nil); errors.As(err, &exit) && exit.Hint != "" {
			fmt.Fprintf(a.Stderr, "skillgate: hint: %s\n", exit.Hint)
		}
		return nil
	}
	return out
}

func askJournal(ctx context.Context, a *app.App) (map[string]lint.Usage, error) {
	db, err := logged.Open(ctx, a)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	out := map[string]lint.Usage{}
	err = db.Each(ctx, store.Filter{Since: a.Now().Add(-job.UsageDays * 24 * time.Hour)}, func(entry store.Entry) error {
		if entry.Decision != nil {
			job.CountUsage(out, entry.Decision, entry.Outcomes)
		}
		return nil
	})
	return out, err
}
