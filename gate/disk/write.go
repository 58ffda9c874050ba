package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/skillgate/skillgate/gate/system"
)

// Options say how a file is written. The zero value is right for private state.
type Options struct {
	Shared bool   // a new file has mode 0644 less the umask, not 0600
	Run    bool   // it is a program: a new file has mode 0755 less the umask, an old one may be run by who may read it
	Root   string // the folder that the file must be in once links are followed; "": anywhere
	Sync   bool   // flush the text and the folder to the disk: the file must survive a power cut
}

var errOutside = errors.New("links out of the folder")

// TempPrefix starts the names of the temporary files that a killed writer leaves.
const TempPrefix = ".skillgate-"

// Write makes text the content of the file at path, by way of a temporary file
// beside it. A file that is there keeps its mode, and its owner where the system
// permits that; one that may not be written to is left as it is. Where path is a
// symbolic link, its target is replaced and the link stays. The folder must exist.
// Hard links to the old file keep the old text.
func Write(path string, text []byte, o Options) error {
	s, err := Stage(path, text, o)
	if err != nil {
		return err
	}
	return errors.Join(s.Put(), s.Close())
}

// Staged is a text in a temporary file beside the file that it is to replace.
type Staged struct {
	root            *os.Root
	path, tmp, name string // tmp is "" once it has its name
	sync            bool
}

// Stage is Write up to the last step, which is Put: several files that belong together are all written
// before the first is replaced. Close must be called.
func Stage(path string, text []byte, o Options) (*Staged, error) {
	target, err := Target(path)
	if err != nil {
		return nil, err
	}
	dir, name := filepath.Dir(target), filepath.Base(target)
	if o.Root != "" {
		if dir, name, err = within(o.Root, dir, name); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	// Below an open root nothing can be led out of it, not even by a link that is
	// made meanwhile.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	old, err := present(root, name)
	tmp := ""
	if err == nil {
		tmp, err = stage(root, name, text, o, old)
	}
	if err != nil {
		root.Close()
		return nil, about("write", path, err)
	}
	return &Staged{root, path, tmp, name, o.Sync}, nil
}

// Keep is Write for a file of skillgate's own, in a folder of the kind that Make makes. A link in the file's place is
// replaced, not followed. It fails with a *ForeignError where the folder is not skillgate's own.
func Keep(path string, kind Kind, text []byte, o Options) error {
	f, err := Make(filepath.Dir(path), kind)
	if err != nil {
		return err
	}
	name := filepath.Base(path)
	if !kind.file(name) {
		return errors.Join(f.about("write", name, errForm), f.Close())
	}
	old, err := f.root.Lstat(name)
	if err != nil || !old.Mode().IsRegular() {
		old = nil
	}
	tmp, err := stage(f.root, name, text, o, old)
	if err != nil {
		f.Close()
		return about("write", path, err)
	}
	s := &Staged{f.root, path, tmp, name, o.Sync}
	return errors.Join(s.Put(), s.Close())
}

// Put replaces the file.
func (s *Staged) Put() error {
	err := s.root.Rename(s.tmp, s.name)
	if err == nil {
		s.tmp = ""
		err = s.flush()
	}
	return about("write", s.path, err)
}

// Undo removes the file that Put has put where there was none.
func (s *Staged) Undo() error { return s.root.Remove(s.name) }

func (s *Staged) flush() error {
	if !s.sync || !system.FolderSync {
		return nil
	}
	folder, err := s.root.Open(filepath.Dir(s.name))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Close removes what was not put.
func (s *Staged) Close() error {
	if s.tmp != "" {
		_ = s.root.Remove(s.tmp) // another error says what went wrong
	}
	return s.root.Close()
}

// Target returns the file that Write replaces for path: what path links to, though
// it may not exist, or path itself.
func Target(path string) (string, error) {
	for range 40 { // as many links as Linux follows
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path)) // ".." counts from there
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// within returns root without links and the file's path below it.
func within(root, dir, name string) (realRoot, below string, err error) {
	if realRoot, err = filepath.EvalSymlinks(root); err != nil {
		return "", "", err
	}
	realDir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", "", err
	}
	below, err = filepath.Rel(realRoot, filepath.Join(realDir, name))
	if err != nil || !filepath.IsLocal(below) {
		return "", "", fmt.Errorf("%w %s to %s", errOutside, root, filepath.Join(realDir, name))
	}
	return realRoot, below, nil
}

// stage writes text to a temporary file beside name, and returns its name. old is what it is to replace, nil for
// nothing.
func stage(root *os.Root, name string, text []byte, o Options, old fs.FileInfo) (string, error) {
	mode := fs.FileMode(0o600)
	switch {
	case o.Run:
		mode = 0o755
	case o.Shared:
		mode = 0o644
	}
	if old != nil {
		mode = 0o600 // until it has its owner
	}
	dir := filepath.Dir(name)
	var tmp *os.File
	var tmpName string
	var err error
	for range 100 {
		tmpName = filepath.Join(dir, TempPrefix+strconv.FormatUint(rand.Uint64(), 36))
		tmp, err = root.OpenFile(tmpName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	_, err = tmp.Write(text)
	if err == nil && old != nil {
		err = keep(tmp, old, o.Run)
	}
	if err == nil && o.Sync {
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	if err != nil {
		_ = root.Remove(tmpName) // err says what went wrong
		return "", err
	}
	return tmpName, nil
}

// present describes the file that is to be replaced, nil where there is none. It
// must be a regular file that may be written to.
func present(root *os.Root, name string) (fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_WRONLY|system.NonBlock, 0) // a pipe must not stall
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	return info, err
}

// keep gives f the owner and the mode of the file that it replaces; run adds that it may be run.
func keep(f *os.File, old fs.FileInfo, run bool) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	was, known := system.OwnerOf(old)
	is, _ := system.OwnerOf(now)
	if known && was != is && f.Chown(was.User, was.Group) != nil {
		_ = f.Chown(-1, was.Group) // its group at least, for a member of it
	}
	mode := old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	if run {
		mode |= mode & 0o444 >> 2
	}
	return f.Chmod(mode)
}

// about says what failed to be done to the file at path: a *fs.PathError, nil where err is nil. An error that
// names a whole path says so already.
func about(op, path string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); err == nil || ok && filepath.IsAbs(at.Path) {
		return err
	}
	return &fs.PathError{Op: op, Path: path, Err: cause(err)}
}

// cause leaves out what the system was asked to do to which temporary file.
func cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
