package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
)

// journal writes the audit log. Entries of lookups are queued while the database is unreachable.
type journal struct {
	store *truth.Store
	log   *slog.Logger
	lines chan truth.Event
	turn  chan struct{} // limits concurrent writes, so that a locked table does not occupy all connections
}

var errAudit = errors.New("the audit log cannot be written; try again later")

const (
	maxWaiting = 20_000 // queued entries; beyond that, lookups are refused
	maxBatch   = 500    // entries per write
)

func newJournal(store *truth.Store, log *slog.Logger) *journal {
	turns := max(1, store.DB.Config().MaxConns/2)
	return &journal{store, log, make(chan truth.Event, maxWaiting), make(chan struct{}, turns)}
}

func (j *journal) add(e truth.Event) error {
	e.ID, e.Time = rand.Text(), time.Now()
	select {
	case j.lines <- e:
		return nil
	default:
		return errAudit
	}
}

func (j *journal) write(ctx context.Context, events ...truth.Event) error {
	within, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	case <-within.Done():
		return errAudit
	}
	if err := j.store.Audit(within, events...); err != nil {
		j.log.Warn("writing to the audit log failed", "entries", len(events), "error", err)
		return errAudit
	}
	return nil
}

// run writes queued entries until the channel is closed and empty, or ctx ends. It repeats a failed batch.
func (j *journal) run(ctx context.Context) {
	for e := range j.lines {
		batch := []truth.Event{e}
		for len(batch) < maxBatch && len(j.lines) > 0 {
			batch = append(batch, <-j.lines)
		}
		for j.write(ctx, batch...) != nil {
			select {
			case <-ctx.Done():
				j.log.Error("audit log entries were lost", "entries", len(batch)+len(j.lines))
				return
			case <-time.After(time.Second):
			}
		}
	}
}
