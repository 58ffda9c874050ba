package apptest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/gate/disk"
)

const decoyAge = 400 * 24 * time.Hour

// Decoys replaces skillgate's own files and folders with decoys outside the home, which no command may change.
type Decoys struct {
	testing.TB
	Outside string // folder of all decoys; created when needed
	Count   int
}

// Folders moves each folder at depth level below root to a decoy, deletes the markers in it and adds foreign files.
// Then it calls put, which must make place (the old path) refer to the decoy.
func (d *Decoys) Folders(root string, level int, put func(decoy, place string) error) {
	d.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		depth := 0
		if rel, _ := filepath.Rel(root, path); rel != "." {
			depth = strings.Count(rel, "/") + 1
		}
		if depth == level {
			found = append(found, path)
			return fs.SkipDir
		}
		return nil
	})
	for _, place := range found {
		decoy, derr := d.take(place)
		if err = errors.Join(err, derr); err == nil {
			err = foreign(decoy)
		}
		if err == nil {
			err = put(decoy, place)
		}
	}
	require.NoError(d, err)
}

// Files moves each file below root, except markers, to a decoy. Then it calls put, as Folders does.
func (d *Decoys) Files(root string, put func(decoy, place string) error) {
	d.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() == disk.Marker {
			return err
		}
		decoy, err := d.take(path)
		if err == nil {
			err = errors.Join(age(decoy, d.Count), put(decoy, path))
		}
		return err
	})
	require.NoError(d, err)
}

func (d *Decoys) take(place string) (decoy string, err error) {
	d.Count++
	decoy = filepath.Join(d.Outside, fmt.Sprint(d.Count), filepath.Base(place))
	return decoy, errors.Join(os.MkdirAll(filepath.Dir(decoy), 0o700), os.Rename(place, decoy))
}

// Link makes place a symbolic link to decoy with an old modification time. Every second link goes through "..".
func (d *Decoys) Link(decoy, place string) error {
	if d.Count%2 == 0 {
		up, err := filepath.Rel(filepath.Dir(place), decoy)
		if err != nil {
			return err
		}
		decoy = filepath.Dir(up) + "/../" + filepath.Base(filepath.Dir(decoy)) + "/" + filepath.Base(decoy)
	}
	old := unix.NsecToTimespec(time.Now().Add(-decoyAge).UnixNano())
	return errors.Join(os.Symlink(decoy, place),
		unix.UtimesNanoAt(unix.AT_FDCWD, place, []unix.Timespec{old, old}, unix.AT_SYMLINK_NOFOLLOW))
}

// Watch records the state of a folder. The returned function fails the test if anything below it has changed.
func (d *Decoys) Watch(dir string) (unchanged func()) {
	before := inventory(d, dir)
	return func() { d.Helper(); assert.Equal(d, before, inventory(d, dir), dir) }
}

// inventory returns inode, mode, size, time and content of every file and folder below dir, by path.
func inventory(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		all[path] = fmt.Sprintf("%d %v %d %v %x", info.Sys().(*syscall.Stat_t).Ino, info.Mode(), info.Size(), info.ModTime(),
			sha256.Sum256(text))
		return nil
	})
	require.NoError(t, err)
	return all
}

func foreign(dir string) error {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == disk.Marker {
			return os.Remove(path)
		}
		if d.IsDir() {
			mine := filepath.Join(path, "mine.txt")
			if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
				return err
			}
			all = append(all, mine)
		}
		all = append(all, path)
		return nil
	})
	slices.Reverse(all)
	for n, path := range all {
		err = errors.Join(err, age(path, n+1))
	}
	return err
}

func age(path string, n int) error {
	if n%2 > 0 {
		return nil
	}
	old := time.Now().Add(-decoyAge)
	return os.Chtimes(path, old, old)
}
