package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Temp is a folder that this process has made for itself, with all that is in it.
type Temp struct {
	Path string
	made fs.FileInfo
}

// NewTemp makes a folder in dir as os.MkdirTemp does; "" is the system's folder for temporary files.
func NewTemp(dir, pattern string) (*Temp, error) {
	path, err := os.MkdirTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	made, err := os.Lstat(path)
	return &Temp{path, made}, err
}

// Remove removes the folder with all that is in it, unless it was given a place by Give. It fails where another folder
// has taken its name.
func (t *Temp) Remove() error {
	top, err := os.OpenRoot(filepath.Dir(t.Path))
	if err != nil {
		return gone(err)
	}
	defer top.Close()
	name := filepath.Base(t.Path)
	info, err := top.Lstat(name)
	if err == nil && !os.SameFile(info, t.made) {
		err = errors.New("not the folder that was made")
	}
	if err == nil {
		err = removeTree(top, name)
	}
	return about("remove", t.Path, gone(err))
}

// Discard removes a file of the folder. One that is gone is no error.
func (t *Temp) Discard(name string) error {
	root, err := os.OpenRoot(t.Path)
	if err != nil {
		return err
	}
	defer root.Close()
	return gone(root.Remove(name))
}

// Give moves what has a name in the folder, "." for the folder itself, to the path to. It fails with fs.ErrExist where
// something is there.
func (t *Temp) Give(name, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return os.Rename(filepath.Join(t.Path, name), to)
}

// removeTree removes the folder of that name in root with all that is in it. It follows no link and no mount.
func removeTree(root *os.Root, name string) error {
	sub, err := root.OpenRoot(name)
	if err != nil {
		return err
	}
	err = emptyTree(sub)
	if err = errors.Join(err, sub.Close()); err != nil {
		return err
	}
	return root.Remove(name)
}

func emptyTree(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	if system.Mounted(dir) {
		return errMounted
	}
	entries, err := dir.ReadDir(-1)
	for _, e := range entries {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			err = gone(removeTree(root, e.Name()))
		default:
			err = gone(root.Remove(e.Name()))
		}
	}
	return err
}

// Discard closes and removes a file that this process has made and still has open.
func Discard(f *os.File) error {
	open, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	now, err := os.Lstat(f.Name())
	if err != nil {
		return gone(err)
	}
	if !os.SameFile(open, now) {
		return fmt.Errorf("remove %s: another file has its name", f.Name())
	}
	return os.Remove(f.Name())
}

// ErrChanged says that a file does not hold what it was to hold.
var ErrChanged = errors.New("changed by another program meanwhile")

// RemoveText removes a file of the user's that holds text and nothing else: one that a command has written, or
// was told to remove and has read. Where path is a symbolic link, its target goes. It fails with ErrChanged where
// the file holds something else.
func RemoveText(path string, text []byte) error {
	target, err := Target(path)
	if err != nil {
		return err
	}
	now, err := regular.Read(target, int64(len(text)))
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !bytes.Equal(now, text) {
		return errors.Join(fmt.Errorf("%s: %w", path, ErrChanged), err)
	}
	return os.Remove(target)
}

// Unpacked is a folder that something is unpacked into. All that is in it was written there.
type Unpacked struct{ Root *os.Root }

// Unpack makes the folder at path, or opens an empty one.
func Unpack(path string) (*Unpacked, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	entries, err := list(root)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s: not an empty folder", path)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Unpacked{root}, nil
}

// Remove removes a file, or a folder with all that is in it. What is gone is no error.
func (t *Unpacked) Remove(name string) error {
	info, err := t.Root.Lstat(name)
	if err == nil && info.IsDir() {
		return gone(removeTree(t.Root, name))
	}
	return gone(t.Root.Remove(name))
}

// Move gives a file or a folder another name, which nothing has.
func (t *Unpacked) Move(from, to string) error {
	if _, err := t.Root.Lstat(to); err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return t.Root.Rename(from, to)
}
