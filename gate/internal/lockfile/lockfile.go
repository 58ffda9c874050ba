// Package lockfile takes advisory locks on files, which keep
// processes of skillgate from undoing each other's work. The system gives a lock up
// when its file is closed, so a killed process leaves none behind.
package lockfile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/skillgate/skillgate/gate/system"
)

// ErrBusy says that another process held the lock for too long.
var ErrBusy = errors.New("locked by another process")

// Kind says who else may have the lock.
type Kind int

// A shared lock is held beside others like it, an exclusive one alone.
const (
	Shared Kind = iota
	Exclusive
)

// Forever is a wait that only the context ends.
const Forever time.Duration = math.MaxInt64

// Pauses between attempts double from the first to the last: what holds a lock
// briefly does so for the time of one rename.
const (
	firstPause = 250 * time.Microsecond
	lastPause  = 4 * time.Millisecond
)

// Lock takes the lock of an open file, trying for as long as wait; 0 is
// one attempt. It fails with ErrBusy or with the error of ctx.
func Lock(ctx context.Context, f system.File, kind Kind, wait time.Duration) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if ok, err := system.TryLock(f, kind == Exclusive); ok || err != nil {
			return err
		}
		if wait -= pause; wait < 0 {
			return ErrBusy
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Open opens the lock file at path, which it makes where there is none, and takes its
// exclusive lock. Closing the file gives it up. A symbolic link is not followed.
func Open(ctx context.Context, path string, wait time.Duration) (*os.File, error) {
	f, err := system.OpenFile(path, os.O_RDWR|os.O_CREATE|system.NoFollow, 0o600)
	if err != nil {
		return nil, err
	}
	if err := Lock(ctx, system.FileOf(f), Exclusive, wait); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
