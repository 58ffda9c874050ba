package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// ErrBusy means that another process held the lock for too long.
var ErrBusy = errors.New("locked by another process")

// Sharing says whether several processes may hold the lock at once.
type Sharing int

const (
	Shared    Sharing = iota // several shared locks may be held at once
	Exclusive                // no other lock may be held
)

// Forever, given to Lock as wait, means no time limit: only ctx ends the wait.
const Forever time.Duration = math.MaxInt64

// Lock pauses between attempts. Each pause is twice the one before, from firstPause up to lastPause. Most locks are
// held for a single rename, so the first pause is short.
const (
	firstPause = 250 * time.Microsecond
	lastPause  = 4 * time.Millisecond
)

// Lock locks an open file. While others hold the lock, it retries for at most wait, and then returns ErrBusy, or ctx's
// error if ctx ends first. If wait is 0, it tries once.
func Lock(ctx context.Context, f system.File, sharing Sharing, wait time.Duration) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if ok, err := system.TryLock(f, sharing == Exclusive); ok || err != nil {
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

// OpenLock opens the lock file at path, creating it if needed, and locks it exclusively. Closing the file unlocks it.
// A symbolic link is not followed.
func OpenLock(ctx context.Context, path string, wait time.Duration) (*os.File, error) {
	f, err := regular.OpenFile(path, os.O_RDWR|os.O_CREATE|system.NoFollow, 0o600)
	if err != nil {
		return nil, err
	}
	if err := Lock(ctx, system.FileOf(f), Exclusive, wait); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// LockFolder locks a folder of skillgate's own exclusively, creating it if needed. Closing the returned file unlocks
// it. It returns a *ForeignError if the folder is not skillgate's own.
func LockFolder(ctx context.Context, path string, kind Kind, wait time.Duration) (system.File, error) {
	open := func() (system.File, error) {
		return system.Open(filepath.Join(path, Marker), os.O_RDWR|system.NoFollow|system.NonBlock, 0)
	}
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		if err = Ensure(path, kind); err == nil {
			f, err = open()
		}
	}
	if err != nil {
		return 0, about("open", filepath.Join(path, Marker), err)
	}
	if err := Lock(ctx, f, Exclusive, wait); err != nil {
		f.Close()
		return 0, about("lock", path, err)
	}
	return f, nil
}
