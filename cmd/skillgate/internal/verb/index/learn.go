package index

import (
	"context"
	"os"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/experiment/arms"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// learnLimit is how long learn may work: nobody waits for it, but it should not outlive its session either.
const learnLimit = 20 * time.Second

// learn folds the log into its database and learns from it, as skillgate does by itself while sessions
// go on. What fails stays in the log; doctor and log report it.
func learn(ctx context.Context, d dirs.Dirs, s gate.Settings, now time.Time) {
	if _, err := os.Stat(d.State); s.Disabled || err != nil { // doctor's trials have a folder that is gone by now
		return
	}
	ctx, cancel := context.WithTimeout(ctx, learnLimit)
	defer cancel()
	db, err := store.Open(ctx, d.State)
	if err != nil {
		return
	}
	defer db.Close()
	if _, err := db.Fold(ctx, now, 0); err != nil {
		return
	}
	_, _ = arms.Settle(ctx, db, now) // an experiment ends by itself
	if s.Calibrate {
		_, _ = db.Calibrate(ctx, d, now, bar.Itself) // stats tells of it
	}
}
