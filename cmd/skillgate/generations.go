package main

import (
	"context"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal/store"
)

const (
	// keepLog is how long a generation outlives the last decision that read it, so
	// that replay can decide again over it.
	keepLog = 14 * 24 * time.Hour
	// mostKept bounds the old generations of one index. One that differs by a few
	// skills from its neighbour takes some 100 KB, since bases are hard-linked.
	mostKept = 40
)

// loggedGenerations returns the generations that the recent log names, by the
// label of their index. Where the journal cannot be read there are none: a build
// must not fail over it.
func (e *env) loggedGenerations(ctx context.Context, d dirs.Dirs) map[string]map[int]bool {
	if !hasJournal(d) {
		return nil
	}
	db, err := store.Open(ctx, d.State)
	if err != nil {
		return nil
	}
	defer db.Close()
	_, _ = db.Fold(ctx, e.now(), 0) // lines that stay unfolded are of the newest generations, which are kept anyway
	uses, err := db.Generations(ctx, e.now().Add(-keepLog))
	if err != nil {
		return nil
	}
	slices.SortFunc(uses, func(a, b gate.IndexUse) int { return b.Generation - a.Generation })
	out := map[string]map[int]bool{}
	for _, u := range uses {
		if out[u.Root] == nil {
			out[u.Root] = map[int]bool{}
		}
		if len(out[u.Root]) < mostKept {
			out[u.Root][u.Generation] = true
		}
	}
	return out
}
