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

// Options say how a file is written. The zero value suits skillgate's own files: mode 0600 and no sync.
type Options struct {
	Shared bool   // a new file has mode 0644 less the umask, not 0600
	Run    bool   // a new file has mode 0755 less the umask; an existing one becomes executable for its readers
	Root   string // folder that must contain the file after links are resolved, or ""
	Sync   bool   // flush the text and the folder to the disk, to survive a power cut
}

var errOutside = errors.New("a symbolic link leads outside the folder")

// TempPrefix is the prefix of the names of temporary files. A killed writer may leave such files.
const TempPrefix = ".skillgate-"

// Write replaces the content of the file at path through a temporary file in the same folder. An existing file keeps
// its mode and, if the system permits, its owner; a read-only file is not replaced. If path is a symbolic link, its
// target is replaced and the link stays. The folder must exist. Hard links to the old file keep the old text.
func Write(path string, text []byte, o Options) error {
	s, err := Stage(path, text, o)
	if err != nil {
		return err
	}
	return errors.Join(s.Put(), s.Close())
}

// Staged is a temporary file that Put renames to its final path.
type Staged struct {
	root            *os.Root
	path, tmp, name string // tmp is "" after Put
	sync            bool
}

// Stage is Write without its last step, Put. It allows several files to be written before the first is replaced. The
// caller must call Close.
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
	// Once root is open, links that others create in the path cannot lead out of it.
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

// Keep is like Write, but for one of skillgate's own files, in a folder that Make creates. It replaces a link at path
// and returns a *ForeignError if the folder is not skillgate's own.
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

// Put renames the temporary file to its final path.
func (s *Staged) Put() error {
	err := s.root.Rename(s.tmp, s.name)
	if err == nil {
		s.tmp = ""
		err = s.flush()
	}
	return about("write", s.path, err)
}

// Undo removes a file that Put has created.
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

// Close removes the temporary file unless Put has renamed it.
func (s *Staged) Close() error {
	if s.tmp != "" {
		_ = s.root.Remove(s.tmp) // the caller already has the error that matters
	}
	return s.root.Close()
}

// Target returns the file that Write replaces for path: path itself or the target of the link, which may not exist.
func Target(path string) (string, error) {
	for range 40 { // Linux follows at most 40 links
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
			dir, err := filepath.EvalSymlinks(filepath.Dir(path)) // ".." is relative to the real folder
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// within returns root with symbolic links resolved, and the path of the file relative to it. It fails with errOutside
// if the file is not below root.
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

// stage writes text to a temporary file in the folder of name and returns that file's name. old describes the file that
// it will replace, or is nil.
func stage(root *os.Root, name string, text []byte, o Options, old fs.FileInfo) (string, error) {
	mode := fs.FileMode(0o600)
	switch {
	case o.Run:
		mode = 0o755
	case o.Shared:
		mode = 0o644
	}
	if old != nil {
		mode = 0o600 // private until keep has set owner and mode
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
		_ = root.Remove(tmpName)
		return "", err
	}
	return tmpName, nil
}

// present describes the file that will be replaced, or returns nil if there is none. It must be a writable regular
// file.
func present(root *os.Root, name string) (fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_WRONLY|system.NonBlock, 0) // NonBlock, because opening a named pipe must not block
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

// keep gives f the owner and mode of the file that it replaces. If run is set, everyone who may read f may also run it.
func keep(f *os.File, old fs.FileInfo, run bool) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	was, known := system.OwnerOf(old)
	is, _ := system.OwnerOf(now)
	if known && was != is && f.Chown(was.User, was.Group) != nil {
		_ = f.Chown(-1, was.Group) // without the right to change the user, change at least the group
	}
	mode := old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	if run {
		mode |= mode & 0o444 >> 2
	}
	return f.Chmod(mode)
}

// about returns err as a *fs.PathError for the file at path. It returns err unchanged if it is nil or already names an
// absolute path.
func about(op, path string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); err == nil || ok && filepath.IsAbs(at.Path) {
		return err
	}
	return &fs.PathError{Op: op, Path: path, Err: cause(err)}
}

// cause returns the error inside err, without the operation and the path.
func cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}
