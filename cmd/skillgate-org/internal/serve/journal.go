package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
)

// journal writes the audit, many lines in one go. Lines of lookups wait in it while the database
// does not answer; who loads a skill waits until the line is written.
type journal struct {
	store *truth.Store
	log   *slog.Logger
	lines chan line
}

type line struct {
	truth.Event
	written chan<- error // nil: nobody waits
}

var errAudit = errors.New("the audit cannot be written now; try again later")

// Bounds of the journal.
const (
	maxWaiting = 20_000 // lines; then lookups are refused
	maxBatch   = 500    // lines written in one go
)

func newJournal(store *truth.Store, log *slog.Logger) *journal {
	return &journal{store, log, make(chan line, maxWaiting)}
}

// add writes a line soon, or at once where wait says so.
func (j *journal) add(ctx context.Context, e truth.Event, wait bool) error {
	e.ID, e.Time = rand.Text(), time.Now()
	l := line{Event: e}
	var written chan error
	if wait {
		written = make(chan error, 1)
		l.written = written
	}
	select {
	case j.lines <- l:
	default:
		return errAudit
	}
	if !wait {
		return nil
	}
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run writes lines until the channel is closed and all are written, or ctx ends. A batch that
// fails is written again; a line that somebody waits for fails with it.
func (j *journal) run(ctx context.Context) {
	var batch []line
	for open := true; open || len(batch) > 0; {
		if len(batch) == 0 {
			l, ok := <-j.lines
			if !ok {
				return
			}
			batch = append(batch, l)
		}
		for more := true; more && len(batch) < maxBatch; {
			select {
			case l, ok := <-j.lines:
				if more, open = ok, ok; ok {
					batch = append(batch, l)
				}
			default:
				more = false
			}
		}
		batch = j.write(ctx, batch)
		if ctx.Err() != nil {
			if len(batch) > 0 {
				j.log.Error("lines of the audit are lost", "lines", len(batch))
			}
			return
		}
	}
}

// write returns the lines that are to be tried again.
func (j *journal) write(ctx context.Context, batch []line) []line {
	events := make([]truth.Event, len(batch))
	for i, l := range batch {
		events[i] = l.Event
	}
	within, cancel := context.WithTimeout(ctx, 10*time.Second)
	err := j.store.Audit(within, events...)
	cancel()
	var again []line
	for _, l := range batch {
		switch {
		case l.written != nil && err != nil:
			l.written <- errAudit
		case l.written != nil:
			l.written <- nil
		case err != nil:
			again = append(again, l)
		}
	}
	if err != nil {
		j.log.Warn("the audit is not written", "waiting", len(again)+len(j.lines), "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return again
}
