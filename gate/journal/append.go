package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/jsonline"
	"github.com/skillgate/skillgate/gate/system"
)

// File is the name of the open journal in the state folder.
const File = "journal.jsonl"

// maxLine is the longest line Append writes, in bytes with the newline. A full
// prompt of Hangul and 50 explained candidates take about 100 KB.
const maxLine = 256 << 10

const usualLine = 8 << 10

// appendWait is how long Append tries for its lock. A fold holds it for the time of one rename, and for
// longer only where it waits for a processor meanwhile: no line is lost over that.
const appendWait = time.Second

// ErrBusy says that a lock was held by another process for too long.
var ErrBusy = disk.ErrBusy

// Append writes r as one line of dir's journal, in a single write under a
// shared lock. It creates dir (mode 0700) and the file (0600) where missing and
// gives up with ErrBusy after a second. It fails with a *disk.ForeignError where dir is not
// skillgate's own, and where the file is a link or has a second name. Ids, paths and notes without end keep their
// beginnings, and Short names them. A record too long for maxLine all the same loses
// its evidence first, then its candidates.
func Append(dir string, r Record) error {
	line, err := encode(r)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := disk.Ensure(dir, disk.State); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	path := filepath.Join(dir, File)
	f, err := lockCurrent(path)
	if err != nil {
		return fmt.Errorf("journal: %s: %w", path, err)
	}
	defer f.Close()
	n, err := f.Write(line)
	if err == nil && n < len(line) {
		err = syscall.ENOSPC
		_, _ = f.Write([]byte{'\n'}) // keeps the next line whole where there is room for one byte
	}
	if err != nil {
		return fmt.Errorf("journal: %s: %w", path, err)
	}
	return nil
}

func encode(r Record) ([]byte, error) {
	bound(&r)
	for step := 0; ; step++ {
		line, err := jsonline.Append(make([]byte, 0, usualLine), r)
		if err != nil {
			return nil, err
		}
		if len(line) < maxLine {
			return append(line, '\n'), nil
		}
		if step == 3 {
			return nil, fmt.Errorf("line of %d bytes, limit %d", len(line)+1, maxLine)
		}
		trim(&r, step)
	}
}

// lockCurrent opens the file at path for appending, takes a shared lock and
// makes sure that the file is still the one at path: a fold may have renamed it
// between the two.
func lockCurrent(path string) (system.File, error) {
	for range 100 {
		// NonBlock: a named pipe in this place must not stall the hook.
		f, err := system.Open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|system.NoFollow|system.NonBlock, 0o600)
		if err != nil {
			return 0, err
		}
		var named bool
		if err = disk.Lock(context.Background(), f, disk.Shared, appendWait); err == nil {
			named, err = f.Named(path)
		}
		if named {
			return f, nil
		}
		f.Close()
		if err != nil {
			return 0, err
		}
	}
	return 0, ErrBusy
}
