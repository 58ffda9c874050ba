package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/regular"
)

// Writable returns the total size in bytes of the named files of a folder of skillgate's own. It fails if the folder or
// one of the files cannot be written. Missing files are allowed. If the folder is missing, its nearest existing parent
// must be writable.
func Writable(dir string, kind Kind, names ...string) (size int64, err error) {
	for _, name := range names {
		f, err := regular.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_APPEND, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		info, err := f.Stat()
		if err = errors.Join(err, f.Close()); err != nil {
			return 0, err
		}
		size += info.Size()
	}
	if f, err := Open(dir, kind); err == nil {
		f.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, TempPrefix+"*")
	if err != nil {
		return 0, err
	}
	return size, Discard(f)
}
