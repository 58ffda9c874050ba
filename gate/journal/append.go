package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/internal/lockfile"
	"github.com/skillgate/skillgate/gate/jsonline"
	"golang.org/x/sys/unix"
)

// File is the name of the open journal in the state folder.
const File = "journal.jsonl"

// MaxLine is the longest line Append writes, in bytes with the newline. A full
// prompt of Hangul and 50 explained candidates take about 100 KB.
const MaxLine = 256 << 10

// lockWait is how long a lock is tried for: the hook would rather lose a line than be
// noticed. A fold holds the lock for the time of one rename, and for longer only where it
// waits for a processor meanwhile.
const lockWait = 100 * time.Millisecond

// ErrBusy says that a lock was held by another process for too long.
var ErrBusy = lockfile.ErrBusy

// Append writes r as one line of dir's journal, in a single write under a
// shared lock. It creates dir (mode 0700) and the file (0600) where missing and
// gives up with ErrBusy after 100 ms. Ids, paths and notes without end keep their
// beginnings, and Short names them. A record too long for MaxLine all the same loses
// its evidence first, then its candidates.
func Append(dir string, r Record) error {
	line, err := encode(r)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	path := filepath.Join(dir, File)
	fd, err := lockCurrent(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			fd, err = lockCurrent(path)
		}
	}
	if err != nil {
		return fmt.Errorf("journal: %s: %w", path, err)
	}
	defer unix.Close(fd)
	n, err := ignoringEINTR(func() (int, error) { return unix.Write(fd, line) })
	if err == nil && n < len(line) {
		err = unix.ENOSPC
		unix.Write(fd, []byte{'\n'}) // keeps the next line whole where there is room for one byte
	}
	if err != nil {
		return fmt.Errorf("journal: %s: %w", path, err)
	}
	return nil
}

// encode returns r's line with its newline.
func encode(r Record) ([]byte, error) {
	bound(&r)
	for step := 0; ; step++ {
		line, err := jsonline.Append(nil, r)
		if err != nil {
			return nil, err
		}
		if len(line) < MaxLine {
			return append(line, '\n'), nil
		}
		if step == 3 {
			return nil, fmt.Errorf("line of %d bytes, limit %d", len(line)+1, MaxLine)
		}
		trim(&r, step)
	}
}

// lockCurrent opens the file at path for appending, takes a shared lock and
// makes sure that the file is still the one at path: a fold may have renamed it
// between the two.
func lockCurrent(path string) (int, error) {
	for range 100 {
		// O_NONBLOCK: a named pipe in this place must not stall the hook.
		fd, err := ignoringEINTR(func() (int, error) {
			return unix.Open(path, unix.O_WRONLY|unix.O_APPEND|unix.O_CREAT|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
		})
		if err != nil {
			return -1, err
		}
		if err := lockfile.Lock(context.Background(), fd, lockfile.Shared, lockWait); err != nil {
			unix.Close(fd)
			return -1, err
		}
		var open, named unix.Stat_t
		if err := unix.Fstat(fd, &open); err != nil {
			unix.Close(fd)
			return -1, err
		}
		if open.Mode&unix.S_IFMT != unix.S_IFREG {
			unix.Close(fd)
			return -1, errors.New("not a regular file")
		}
		if err := unix.Lstat(path, &named); err == nil && named.Ino == open.Ino && named.Dev == open.Dev {
			return fd, nil
		}
		unix.Close(fd)
	}
	return -1, ErrBusy
}

// ignoringEINTR calls f until no signal interrupts it.
func ignoringEINTR(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR {
			return n, err
		}
	}
}
