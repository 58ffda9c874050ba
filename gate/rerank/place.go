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

// Place is the folder of a user's helper, mode 0700:
//
//	sock     the socket, mode 0600
//	lock     held by the one helper
//	attempt  the start that has not worked out, if any, see Attempt
type Place struct {
	Dir string
}

// inCache is the folder's name where it is in the cache.
const inCache = "run"

// maxSocket is the length of a socket's path that every system takes (104 on macOS).
const maxSocket = 100

// Locate returns the place for user uid: $XDG_RUNTIME_DIR/skillgate where that
// variable names a folder of theirs, else run in cache, their cache folder, else
// (where that path is too long for a socket) a folder below the temporary one.
// Nothing is created.
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

// Held reports whether a helper has the lock, even one that does not answer.
func (p Place) Held() bool {
	f, err := regular.Open(p.Lock())
	if err != nil {
		return false
	}
	defer f.Close() // and with it the lock
	return disk.Lock(context.Background(), system.FileOf(f), disk.Shared, 0) != nil
}

// Make creates the folder, or makes sure that the one that is there is this
// user's alone and skillgate's own.
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

// ClearSocket removes the socket. One that is gone is no error.
func (p Place) ClearSocket() error { return p.clear(p.Socket()) }

func (p Place) clear(file string) error {
	folder, err := disk.Open(p.Dir, disk.Run)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Remove(filepath.Base(file))
}

// Check reports why a helper of user uid cannot listen here or is not trusted; nil
// where there is nothing yet.
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

// owned reports why dir is not a folder that only user uid can reach.
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
		return fmt.Errorf("%s: belongs to another user than %d", dir, uid)
	case fi.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s: mode %04o, want 0700", dir, fi.Mode().Perm())
	}
	return nil
}
