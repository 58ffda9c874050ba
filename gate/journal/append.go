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

// maxLine is the length of the longest line that Append writes, in bytes with the newline. A full prompt of Hangul
// with 50 explained candidates takes about 100 KB.
const maxLine = 256 << 10

const usualLine = 8 << 10

// appendWait is the maximum time that Append waits for its lock. A fold holds the lock only for a rename, which may
// take longer on a busy machine.
const appendWait = time.Second

// ErrBusy means that another process held a lock for too long.
var ErrBusy = disk.ErrBusy

// Append writes r as one line of dir's journal, in one write under a shared lock. It creates dir (mode 0700) and the
// file (0600) if needed. It returns ErrBusy if it cannot lock the file within a second, and a *disk.ForeignError if dir
// is not skillgate's own. It also fails if the file is a link or has a second hard link. Ids, paths and notes that are
// too long are cut and listed in Short. If the record still exceeds maxLine, it loses its evidence first, then its
// candidates and most of its prompt.
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
		_, _ = f.Write([]byte{'\n'}) // end the incomplete line, if there is room for one more byte
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
			return nil, fmt.Errorf("the log line has %d bytes (limit %d)", len(line)+1, maxLine)
		}
		trim(&r, step)
	}
}

// lockCurrent opens the file at path for appending, takes a shared lock, and checks that a fold has not renamed the
// file in the meantime.
func lockCurrent(path string) (system.File, error) {
	for range 100 {
		// A named pipe at this path must not block the hook, hence NonBlock.
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
