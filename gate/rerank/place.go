package rerank

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Place is the folder of a user's helper. It has mode 0700 and contains
//
//	sock     the socket, mode 0600
//	lock     the file that a running helper keeps locked
//	attempt  the last start if it has not succeeded, see Attempt
type Place struct {
	Dir string
}

// inCache is the name of the helper's folder in the cache folder.
const inCache = "run"

// maxSocket is the maximum length of a socket's path, in bytes. It is below the limit of every system (104 on macOS).
const maxSocket = 100

// Locate returns the place for user uid: $XDG_RUNTIME_DIR/skillgate if only that user can access $XDG_RUNTIME_DIR, and
// otherwise the folder run in the user's cache folder. If that path is too long for a socket, the place is in /tmp.
// Locate creates nothing.
func Locate(getenv func(string) string, cache string, uid int) Place {
	if dir := getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) && owned(dir, uid) == nil {
		if p := (Place{filepath.Join(dir, "skillgate")}); len(p.Socket()) <= maxSocket {
			return p
		}
	}
	p := Place{filepath.Join(cache, inCache)}
	if len(p.Socket()) > maxSocket {
		h := fnv.New32a()
		h.Write([]byte(cache))
		p.Dir = filepath.Join("/tmp", "skillgate-"+strconv.Itoa(uid)+"-"+strconv.FormatUint(uint64(h.Sum32()), 16))
	}
	return p
}

// Socket returns the path of the socket.
func (p Place) Socket() string { return filepath.Join(p.Dir, "sock") }

// Lock returns the path of the lock file.
func (p Place) Lock() string { return filepath.Join(p.Dir, "lock") }

// Held reports whether a helper holds the lock. A helper that does not answer may still hold it.
func (p Place) Held() bool {
	f, err := regular.Open(p.Lock())
	if err != nil {
		return false
	}
	defer f.Close() // also releases the lock
	return disk.Lock(context.Background(), system.FileOf(f), disk.Shared, 0) != nil
}

// Make creates the folder if it does not exist. Otherwise it checks that the folder is one of skillgate's and that only
// user uid can access it.
func (p Place) Make(uid int) error {
	if err := owned(p.Dir, uid); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if filepath.Base(p.Dir) == inCache {
		if err := disk.Ensure(filepath.Dir(p.Dir), disk.Cache); err != nil {
			return err
		}
	}
	if err := disk.Ensure(p.Dir, disk.Run); err != nil {
		return err
	}
	return owned(p.Dir, uid)
}

// ClearSocket removes the socket, if it exists.
func (p Place) ClearSocket() error { return p.clear(p.Socket()) }

func (p Place) clear(file string) error {
	folder, err := disk.Open(p.Dir, disk.Run)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Remove(filepath.Base(file))
}

// Check returns the reason why a helper of user uid cannot listen in p or must not be trusted, or nil. A missing folder
// is not an error.
func (p Place) Check(uid int) error {
	if err := owned(p.Dir, uid); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	fi, err := os.Lstat(p.Socket())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case fi.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("%s: not a socket", p.Socket())
	}
	return nil
}

func owned(dir string, uid int) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	owner, ok := system.OwnerOf(fi)
	switch {
	case !fi.IsDir():
		return fmt.Errorf("%s: not a folder", dir)
	case !ok || owner.User != uid:
		return fmt.Errorf("%s belongs to another user; it must belong to user %d", dir, uid)
	case fi.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s: the mode is %04o but must be 0700", dir, fi.Mode().Perm())
	}
	return nil
}
