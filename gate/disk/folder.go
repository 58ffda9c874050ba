// Package disk is the only code of skillgate that removes files, renames over them or truncates
// them. Two kinds of files may go that way.
//
// # Skillgate's own folders
//
// The folders of dirs.Dirs.State and dirs.Dirs.Cache and those below them are skillgate's own only
// where the file [Marker] lies in them. [Make] puts it there when it makes a folder, or finds
// one empty. Only names of the forms in the table of kinds go from such a folder: a session's
// memory, a generation of an index, a temporary file. Anything else in it stays.
//
// A folder without a marker is one of an earlier version or foreign. The first is adopted once:
// every entry in it has the form of its kind, and the newest session or manifest can be read. It
// is then marked. In a foreign one nothing is removed or written: [Make] and [Open] return a
// [ForeignError].
//
// A folder may be a link, or something may be mounted there, since people move a cache to a larger
// disk: its marker is what counts. Below an open folder no link and no mount is followed.
//
// # The user's files
//
// [Write] replaces a file that a command was asked to edit, such as the settings of a host, by a rename
// in the folder that holds it.
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

const markerText = `This folder is skillgate's own: skillgate removes files from it that it no longer needs.
Where this file is missing and anything else is in the folder, skillgate leaves all of it alone.
`

// Folder is an open folder of skillgate's own.
type Folder struct {
	root *os.Root
	path string
	kind Kind
}

// ForeignError says that a folder is not skillgate's own. Nothing was written there.
type ForeignError struct {
	Path  string // of the folder
	Entry string // what in it is not skillgate's, relative to Path
	Why   string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: not a folder of skillgate's: %s", e.Path, e.Why)
}

// Mend is the command that moves out of the folder what is not skillgate's.
func (e *ForeignError) Mend() string {
	return "mv -n " + system.ShellQuote(filepath.Join(e.Path, e.Entry)) + " ~"
}

// Open opens the folder at path. It fails with a *ForeignError where the folder is not skillgate's own.
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

// Make is Open, and makes the folder where there is none, with mode 0700, and those above it.
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

// Ensure is Make for those who need the folder's path and nothing else. For a folder that is skillgate's own it costs
// one system call.
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

// claim fails unless the folder is skillgate's own, or becomes it.
func (f *Folder) claim() error {
	marked, err := f.owned()
	if err != nil || marked {
		return err
	}
	return mark(f.root)
}

// owned fails unless the folder is skillgate's own or may become it, and reports whether it has the marker.
func (f *Folder) owned() (marked bool, err error) {
	switch info, err := f.root.Lstat(Marker); {
	case err == nil && info.Mode().IsRegular():
		return true, nil
	case err == nil:
		return false, f.foreign(Marker, "%s is not a regular file")
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if forms[f.kind].any && f.elsewhere() { // no name in it tells whose it is
		return false, &ForeignError{f.path, ".", "it has no " + Marker + " and is linked or mounted"}
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

// elsewhere reports whether a link leads to the folder or a file system is mounted there.
func (f *Folder) elsewhere() bool {
	info, err := os.Lstat(f.path)
	return err != nil || !info.IsDir() || mounted(f.root)
}

func (f *Folder) foreign(entry, why string) error {
	return &ForeignError{f.path, entry, fmt.Sprintf(why, entry)}
}

// Foreign returns which folders are not skillgate's own: the one at path, if there is one, and those in it. It
// changes nothing.
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
	entries, _ := list(root) // what cannot be read is not written to either
	for _, e := range entries {
		if in, ok := kind.folder(e.Name()); ok && (!in.whole || marked && in.kind == Index) {
			all = append(all, Foreign(filepath.Join(path, e.Name()), in.kind)...)
		}
	}
	return all
}

// Stray returns the first folder that is not skillgate's own: the one at path, or one of those in it that have markers
// of their own; nil if there is none. For a folder with a marker it costs one system call.
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
		if !in.whole {
			if e := Stray(filepath.Join(path, in.pattern), in.kind); e != nil {
				return e
			}
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
		_ = keep(m, folder, false) // root may have made it for another user
	}
	return errors.Join(err, m.Close())
}

// proof is the newest file that tells whether a folder is of an earlier version.
type proof struct {
	name string
	at   time.Time
}

// most is how many bytes of a file are read as proof.
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

// check fails with a *ForeignError for the first entry of a folder that has not the form of its kind, and notes
// the newest proof. at is the folder's path below the one that is claimed.
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
			return f.foreign(name, "it holds %s")
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

// misses fails with a *ForeignError where a folder has not the file that one of its kind cannot miss.
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

// Touch gives the folder a time of modification.
func (f *Folder) Touch(at time.Time) error { return f.about("touch", ".", f.root.Chtimes(".", at, at)) }

func list(root *os.Root) ([]fs.DirEntry, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

// Entries returns what of skillgate's own is in the folder.
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

var errForm = errors.New("not a name of skillgate's own")

// Replace moves t, a folder in this one, to a name, in place of the folder of that name, which it removes.
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

// Point makes name a link to a place in the folder, in one step.
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

// Rename gives a file another name, which no file has.
func (f *Folder) Rename(from, to string) error {
	if !f.kind.file(from) || !f.kind.file(to) {
		return f.about("rename", from, errForm)
	}
	if _, err := f.root.Lstat(to); err == nil {
		return f.about("rename", from, &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist})
	}
	return f.about("rename", from, f.root.Rename(from, to))
}

// Remove removes a file. One that is gone is no error.
func (f *Folder) Remove(name string) error {
	if !f.kind.file(name) {
		return f.about("remove", name, errForm)
	}
	return f.about("remove", name, gone(f.root.Remove(name)))
}

// RemoveFolder removes a folder with what is skillgate's own in it. One that is gone is no error. It
// fails where something else is left, or where a file system is mounted.
func (f *Folder) RemoveFolder(name string) error {
	in, ok := f.kind.folder(name)
	if !ok {
		return f.about("remove", name, errForm)
	}
	info, err := f.root.Lstat(name)
	if err != nil {
		return f.about("remove", name, gone(err))
	}
	if !info.IsDir() && forms[in.kind].must == "" { // a link is removed, not followed
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

// empty removes all that is skillgate's own. What makes the folder skillgate's goes last, so that what is left of
// it can be removed another time.
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

// gone is err, nil where it says that there is nothing.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// OpenFile opens a file of skillgate's own in a folder of the kind that Make makes, which is written in
// place: the flags are those of os.OpenFile. It fails where the name is that of a link or not of
// a regular file, or
// where the file has another name as well: what is written would be written there too.
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

// Alone fails where a file of one of these names, which a library writes in place, is not what OpenFile would open.
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

// Sole fails where info is not of a regular file with one name: what is written in place would change under the other
// name too. The file is at path; f has it open, or is nil.
func Sole(path string, f *os.File, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, regular.ErrNotRegular)
	case system.Links(f, info) > 1:
		return fmt.Errorf("%s: %w", path, system.ErrLinked)
	}
	return nil
}
