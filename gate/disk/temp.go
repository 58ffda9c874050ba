package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/system"
)

// Temp is a folder created by this process. Everything in it may be removed.
type Temp struct {
	Path string
	made fs.FileInfo
}

// NewTemp creates a folder in dir like os.MkdirTemp. If dir is "", it uses the system's folder for temporary files.
func NewTemp(dir, pattern string) (*Temp, error) {
	path, err := os.MkdirTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	made, err := os.Lstat(path)
	return &Temp{path, made}, err
}

// top opens the parent of t and returns t's name in it. It fails if another folder has taken the name.
func (t *Temp) top() (top *os.Root, name string, err error) {
	if top, err = os.OpenRoot(filepath.Dir(t.Path)); err != nil {
		return nil, "", err
	}
	name = filepath.Base(t.Path)
	info, err := top.Lstat(name)
	if err == nil && !os.SameFile(info, t.made) {
		err = errors.New("another folder now has this name")
	}
	if err != nil {
		top.Close()
		return nil, "", err
	}
	return top, name, nil
}

// Remove removes the folder with everything in it, unless Give has moved it. It fails if another folder has taken its
// name.
func (t *Temp) Remove() error {
	top, name, err := t.top()
	if err == nil {
		err = (&Folder{top, filepath.Dir(t.Path), Tree}).RemoveFolder(name)
		top.Close()
	}
	return about("remove", t.Path, gone(err))
}

// Discard removes a file of the folder. A missing file is no error.
func (t *Temp) Discard(name string) error {
	top, at, err := t.top()
	if err == nil {
		err = top.Remove(filepath.Join(at, name))
		top.Close()
	}
	return about("remove", filepath.Join(t.Path, name), gone(err))
}

// Give moves an entry of the folder to the path to, which must be on the same file system and below the parent of the
// folder. For "." it moves the folder itself. It returns fs.ErrExist if to exists.
func (t *Temp) Give(name, to string) error {
	place, err := filepath.Rel(filepath.Dir(t.Path), to)
	if err != nil {
		return err
	}
	top, at, err := t.top()
	if err == nil {
		if _, err = top.Lstat(place); err == nil {
			err = fs.ErrExist
		} else if err = gone(err); err == nil {
			err = top.Rename(filepath.Join(at, name), place)
		}
		top.Close()
	}
	return about("rename", to, err)
}

// Discard closes and removes a file that this process has created and still has open.
func Discard(f *os.File) error {
	made, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(f.Name()))
	if err != nil {
		return gone(err)
	}
	defer root.Close()
	return about("remove", f.Name(), gone(removeSame(root, filepath.Base(f.Name()), made)))
}

func removeSame(root *os.Root, name string, info fs.FileInfo) error {
	now, err := root.Lstat(name)
	if err == nil && !os.SameFile(info, now) {
		err = errors.New("another file now has this name")
	}
	if err == nil {
		err = root.Remove(name)
	}
	return err
}

// ErrChanged means that a file does not have the expected content.
var ErrChanged = errors.New("changed by another program in the meantime")

// RemoveText removes a user's file if its content is exactly text. If path is a symbolic link, its target is emptied
// and stays. RemoveText returns ErrChanged if the file contains anything else.
func RemoveText(path string, text []byte) error {
	target, err := Target(path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(target)
	file, err := root.OpenFile(name, os.O_RDONLY|system.NonBlock|system.NoFollow, 0)
	if err != nil {
		return about("remove", path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	var now []byte
	if err == nil && info.Mode().IsRegular() {
		now, err = io.ReadAll(io.LimitReader(file, int64(len(text))+1))
	}
	switch {
	case err != nil || !info.Mode().IsRegular() || !bytes.Equal(now, text):
		return errors.Join(fmt.Errorf("%s: %w", path, ErrChanged), err)
	case target != path:
		return Write(path, nil, Options{})
	}
	return about("remove", path, removeSame(root, name, info))
}
