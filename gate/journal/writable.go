package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
)

// Writable returns the size of the journal in dir, in bytes, or why it cannot be written. A
// folder that does not exist is one that the first writer creates: its nearest parent counts.
func Writable(dir string) (size int64, err error) {
	for _, name := range []string{"journal.jsonl", "journal.db", "journal.db-wal"} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		size += info.Size()
		f, err := regular.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return 0, err
		}
		f.Close()
	}
	if f, err := disk.Open(dir, disk.State); err == nil {
		f.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for {
		_, err := os.Stat(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".skillgate-doctor-*")
	if err != nil {
		return 0, err
	}
	return size, disk.Discard(f)
}
