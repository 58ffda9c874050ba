// Package disk is the only code of skillgate that removes, replaces or truncates files. There are two kinds of such
// files.
//
// # Skillgate's own folders
//
// The folders dirs.Dirs.State and dirs.Dirs.Cache and those below them are skillgate's own only if they contain the
// file [Marker]. [Make] creates it in a folder that it creates or finds empty. Only files whose names match the table
// of kinds are removed from such a folder: a session's memory, a generation of an index, a temporary file. Everything
// else stays.
//
// A folder without a marker was made by an earlier version or is foreign. It is adopted and marked if all names in it
// match the table of kinds and the newest session or manifest can be read. In a foreign folder nothing is removed or
// written: [Make] and [Open] return a [ForeignError].
//
// A folder may be a link or a mount point, since people move a cache to a larger disk: the marker decides. Links and
// mounts below an open folder are not followed.
//
// # The user's files
//
// [Write] replaces a file that a command was asked to edit, such as the settings of a host, by a rename in the folder
// of the file.
package disk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Marker is the name of the file that makes a folder skillgate's own.
const Marker = ".skillgate"

const markerText = `This folder belongs to skillgate, which removes files from it that are no longer needed.
Without this file, skillgate changes nothing in a folder that contains other files too.
`

// Folder is an open folder that belongs to skillgate.
type Folder struct {
	root *os.Root
	path string
	kind Kind
}

// ForeignError is returned for a folder that is not skillgate's own. Nothing was written to it.
type ForeignError struct {
	Path  string
	Entry string // path of the foreign entry, relative to Path
	Why   string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: not a skillgate folder: %s", e.Path, e.Why)
}

// Mend returns the shell command that moves the foreign entry out of the folder.
func (e *ForeignError) Mend() string {
	return "mv -n " + system.ShellQuote(filepath.Join(e.Path, e.Entry)) + " ~"
}

// Open opens the folder at path. It returns a *ForeignError if the folder is not skillgate's own.
func Open(path string, kind Kind) (*Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	f := &Folder{root, path, kind}
	if err := f.claim(); err != nil {
		root.Close()
		return nil, err
	}
	return f, nil
}

// Make opens the folder at path. If it does not exist, Make creates it and its missing parents with mode 0700.
func Make(path string, kind Kind) (*Folder, error) {
	f, err := Open(path, kind)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if in := forms[kind].in; in == kind {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	} else {
		err = Ensure(filepath.Dir(path), in)
	}
	if err == nil {
		err = os.Mkdir(path, 0o700)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return Open(path, kind)
}

// Ensure is like Make but does not keep the folder open. For a folder that is skillgate's own it costs one system call.
func Ensure(path string, kind Kind) error {
	if info, err := os.Lstat(filepath.Join(path, Marker)); err == nil && info.Mode().IsRegular() {
		return nil
	}
	f, err := Make(path, kind)
	if err != nil {
		return err
	}
	return f.Close()
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// claim marks the folder as skillgate's own, or fails if it is foreign.
func (f *Folder) claim() error {
	marked, err := f.owned()
	if err != nil || marked {
		return err
	}
	return mark(f.root)
}

// owned reports whether the folder has the marker. It fails if the folder is foreign.
func (f *Folder) owned() (marked bool, err error) {
	switch info, err := f.root.Lstat(Marker); {
	case err == nil && info.Mode().IsRegular():
		return true, nil
	case err == nil:
		return false, f.foreign(Marker, "%s is not a regular file")
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if forms[f.kind].any && f.elsewhere() { // file names cannot prove that the folder is skillgate's
		return false, &ForeignError{f.path, ".", "it has no " + Marker + " file and is a link or a mount point"}
	}
	var newest proof
	if err := f.check(f.root, f.kind, ".", &newest); err != nil {
		return false, err
	}
	if newest.name != "" && !newest.readable(f.root) {
		return false, f.foreign(newest.name, "%s cannot be read")
	}
	return false, nil
}

func (f *Folder) elsewhere() bool {
	info, err := os.Lstat(f.path)
	return err != nil || !info.IsDir() || mounted(f.root)
}

func (f *Folder) foreign(entry, why string) error {
	return &ForeignError{f.path, entry, fmt.Sprintf(why, entry)}
}

// Foreign checks the folder at path and all folders in it, and returns an error for each that is not skillgate's own.
// It changes nothing.
func Foreign(path string, kind Kind) (all []*ForeignError) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil
	}
	defer root.Close()
	f := &Folder{root, path, kind}
	marked, err := f.owned()
	if foreign, ok := errors.AsType[*ForeignError](err); ok {
		all = append(all, foreign)
	}
	entries, _ := list(root) // if the folder cannot be read, skillgate does not write to it either
	for _, e := range entries {
		if in, ok := kind.folder(e.Name()); ok && (!in.whole || marked && in.kind == Index) {
			all = append(all, Foreign(filepath.Join(path, e.Name()), in.kind)...)
		}
	}
	return all
}

// Stray checks the folder at path and the folders in it that have their own markers. It returns an error for the first
// that is not skillgate's own, or nil. For a folder with a marker it makes one or two system calls.
func Stray(path string, kind Kind) *ForeignError {
	if info, err := os.Lstat(filepath.Join(path, Marker)); err != nil || !info.Mode().IsRegular() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil
		}
		defer root.Close()
		_, err = (&Folder{root, path, kind}).owned()
		if foreign, ok := errors.AsType[*ForeignError](err); ok {
			return foreign
		}
	}
	for _, in := range forms[kind].folders {
		if in.whole {
			continue
		}
		folder := filepath.Join(path, in.pattern)
		if _, err := os.Lstat(folder); err != nil {
			continue // most of these folders do not exist; each check costs one system call
		}
		if e := Stray(folder, in.kind); e != nil {
			return e
		}
	}
	return nil
}

func mark(root *os.Root) error {
	m, err := root.OpenFile(Marker, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = m.WriteString(markerText)
	if folder, err := root.Lstat("."); err == nil {
		_ = keep(m, folder, false) // if root runs skillgate for another user, the marker gets that user as its owner
	}
	return errors.Join(err, m.Close())
}

// proof is the newest file that shows that a folder was made by an earlier version.
type proof struct {
	name string
	at   time.Time
}

// most is the maximum number of bytes of a proof that are read.
const most = 16 << 20

func (p *proof) readable(root *os.Root) bool {
	file, err := root.OpenFile(p.name, os.O_RDONLY|system.NonBlock|system.NoFollow, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	var object map[string]json.RawMessage
	return json.NewDecoder(io.LimitReader(file, most)).Decode(&object) == nil && object != nil
}

// check returns a *ForeignError for the first entry that a folder of this kind cannot have, and updates the newest
// proof. at is the folder's path relative to f.
func (f *Folder) check(root *os.Root, kind Kind, at string, newest *proof) error {
	if forms[kind].any {
		return f.misses(root, kind, at)
	}
	entries, err := list(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(at, e.Name())
		if !kind.holds(e) {
			return f.foreign(name, "it contains %s")
		}
		if e.IsDir() {
			in, _ := kind.folder(e.Name())
			if !in.whole {
				continue
			}
			sub, err := root.OpenRoot(e.Name())
			if err == nil {
				err = errors.Join(f.check(sub, in.kind, name, newest), sub.Close())
			}
			if err != nil {
				return err
			}
		} else if p := forms[kind].proof; p != "" && match(p, e.Name()) {
			if info, err := e.Info(); err == nil && (newest.name == "" || info.ModTime().After(newest.at)) {
				*newest = proof{name, info.ModTime()}
			}
		}
	}
	return nil
}

// misses returns a *ForeignError if a folder has entries but not the file that every folder of its kind has.
func (f *Folder) misses(root *os.Root, kind Kind, at string) error {
	must := forms[kind].must
	if must == "" {
		return nil
	}
	_, err := root.Lstat(must)
	if errors.Is(err, fs.ErrNotExist) {
		if entries, err := list(root); err != nil || len(entries) == 0 {
			return err
		}
		return f.foreign(at, "%s has no "+must)
	}
	return err
}

// Touch sets the folder's modification time.
func (f *Folder) Touch(at time.Time) error { return f.about("touch", ".", f.root.Chtimes(".", at, at)) }

func list(root *os.Root) ([]fs.DirEntry, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

// Entries returns the entries of the folder that are skillgate's own.
func (f *Folder) Entries() ([]fs.DirEntry, error) {
	entries, err := list(f.root)
	if err != nil {
		return nil, err
	}
	own := entries[:0]
	for _, e := range entries {
		if e.Name() != Marker && f.kind.holds(e) {
			own = append(own, e)
		}
	}
	return own, nil
}

var errForm = errors.New("not a file that skillgate creates here")

// Replace moves t, a folder in this one, to name and removes the previous folder of that name.
func (f *Folder) Replace(t *Temp, name string) error {
	in, ok := f.kind.folder(name)
	if !ok {
		return f.about("replace", name, errForm)
	}
	made := filepath.Base(t.Path)
	aside := made + ".old"
	old, err := f.root.OpenRoot(name)
	if err == nil {
		err = errors.Join(f.check(old, in.kind, name, new(proof)), old.Close())
	}
	if err == nil {
		err = f.root.Rename(name, aside)
	}
	if err = gone(err); err != nil {
		return f.about("replace", name, err)
	}
	if err := f.root.Rename(made, name); err != nil {
		return f.about("replace", name, errors.Join(err, gone(f.root.Rename(aside, name))))
	}
	t.Path = filepath.Join(f.path, name)
	return f.RemoveFolder(aside)
}

// Point creates or atomically replaces the symbolic link name in the folder, with the target to.
func (f *Folder) Point(name, to string) error {
	next := name + ".next"
	if !f.kind.file(name) || !f.kind.file(next) {
		return f.about("write", name, errForm)
	}
	err := gone(f.root.Remove(next))
	if err == nil {
		err = f.root.Symlink(to, next)
	}
	if err == nil {
		err = f.root.Rename(next, name)
	}
	return f.about("write", name, err)
}

// Rename renames a file. The new name must be free.
func (f *Folder) Rename(from, to string) error {
	if !f.kind.file(from) || !f.kind.file(to) {
		return f.about("rename", from, errForm)
	}
	if _, err := f.root.Lstat(to); err == nil {
		return f.about("rename", from, &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist})
	}
	return f.about("rename", from, f.root.Rename(from, to))
}

// Remove removes the named file. A missing file is no error.
func (f *Folder) Remove(name string) error {
	if !f.kind.file(name) {
		return f.about("remove", name, errForm)
	}
	return f.about("remove", name, gone(f.root.Remove(name)))
}

// RemoveFolder removes a folder with its entries that are skillgate's own. A missing folder is no error. It fails if
// anything else is left or a file system is mounted there.
func (f *Folder) RemoveFolder(name string) error {
	in, ok := f.kind.folder(name)
	if !ok {
		return f.about("remove", name, errForm)
	}
	info, err := f.root.Lstat(name)
	if err != nil {
		return f.about("remove", name, gone(err))
	}
	if !info.IsDir() && forms[in.kind].must == "" { // remove a link and not its target
		return f.about("remove", name, gone(f.root.Remove(name)))
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return f.about("remove", name, err)
	}
	sub := &Folder{root, filepath.Join(f.path, name), in.kind}
	if in.whole {
		err = sub.check(root, in.kind, ".", new(proof))
	} else {
		err = sub.claim()
	}
	if err == nil {
		err = sub.empty()
	}
	root.Close()
	if err == nil {
		err = gone(f.root.Remove(name))
	}
	return f.about("remove", name, err)
}

var errMounted = errors.New("a file system is mounted there")

// empty removes all files that are skillgate's own. The marker, or the file that every folder of the kind has, is
// removed last, so that an interrupted removal can be repeated.
func (f *Folder) empty() error {
	last := cmp.Or(forms[f.kind].must, Marker)
	dir, err := f.root.Open(".")
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
		case e.Name() == last || !f.kind.holds(e):
		case e.IsDir():
			err = f.RemoveFolder(e.Name())
		default:
			err = gone(f.root.Remove(e.Name()))
		}
	}
	if err == nil {
		err = gone(f.root.Remove(last))
	}
	return err
}

func (f *Folder) about(op, name string, err error) error {
	return about(op, filepath.Join(f.path, name), err)
}

// gone returns err, or nil if err says that a file does not exist.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// OpenFile opens a file that is written in place, in a folder that Make creates. flag is as in os.OpenFile. It fails
// for a link, for a file that is not regular, and for a file with a second hard link, because writing would change the
// file at the other path too.
func OpenFile(path string, kind Kind, flag int) (*os.File, error) {
	f, err := Make(filepath.Dir(path), kind)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	name := filepath.Base(path)
	if !kind.file(name) {
		return nil, f.about("open", name, errForm)
	}
	file, err := regular.OpenFile(filepath.Join(f.path, name), flag|system.NoFollow, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = Sole(path, file, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Alone returns an error if OpenFile would refuse one of the named files. It is for files that a database library opens
// itself.
func Alone(path string, kind Kind, names ...string) error {
	f, err := Open(path, kind)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, name := range names {
		info, err := f.root.Lstat(name)
		if err == nil {
			err = Sole(filepath.Join(path, name), nil, info)
		}
		if err := gone(err); err != nil {
			return err
		}
	}
	return nil
}

// Sole returns an error unless info describes a regular file without a second hard link. Writing in place would change
// the file at the other path too. f is the open file at path, or nil.
func Sole(path string, f *os.File, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, regular.ErrNotRegular)
	case system.Links(f, info) > 1:
		return fmt.Errorf("%s: %w", path, system.ErrLinked)
	}
	return nil
}
