package doctor

import (
	"context"

	"github.com/skillgate/skillgate/gate/experiment"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// enough is how many decisions there are before an experiment is offered: with fewer it is
// not known yet how often a hint is given.
const enough = 200

// experiment says that one runs, or offers one where none ever ran. A log that cannot be
// read is another check's.
func (c *checkup) experiment(ctx context.Context) {
	if !store.Exists(c.dirs.State) {
		return
	}
	plan, err := experiment.Load(c.dirs.State)
	switch {
	case err != nil:
		c.add("experiment", statusWarn, experiment.SetAside, "%v", err)
		return
	case plan != nil:
		c.add("experiment", statusOK, "",
			"%g of 100 hints are kept back; `skillgate experiment` says what is known", 100*plan.Share)
		return
	case len(experiment.Past(c.dirs.State)) > 0:
		return
	}
	db, err := store.Read(ctx, c.dirs.State, c.Now(), 0, nil)
	if err != nil {
		return
	}
	defer db.Close()
	if n, err := db.Decisions(ctx); err == nil && n >= enough {
		c.add("experiment", statusOK, "",
			"%d decisions are logged: `skillgate experiment start` finds out whether hints help, by keeping every tenth back",
			n)
	}
}
