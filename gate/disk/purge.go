package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/system"
)

// Purged is the result of Purge.
type Purged struct {
	Removed int     // files and folders; a folder that is removed in one step counts once
	Left    []error // one error for each path that remains
}

// Purge removes everything that is skillgate's own in and below the folder at path, and then the empty folders. A link
// to a folder of skillgate's own is followed and removed too. The folder itself stays if path is a link or a mount
// point. If dryRun is set, nothing is removed. A missing folder is no error. A foreign folder stays.
func Purge(path string, kind Kind, dryRun bool) Purged {
	p := purge{dryRun: dryRun}
	root, err := os.OpenRoot(path)
	if err != nil {
		p.leave(path, gone(err))
		return p.Purged
	}
	defer root.Close()
	top, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		p.leave(path, err)
		return p.Purged
	}
	defer top.Close()
	if p.empty(&Folder{root, path, kind}) {
		p.remove(path, func() error {
			name := filepath.Base(path)
			if info, err := top.Lstat(name); err == nil && !info.IsDir() {
				return errors.New("links are not removed; the folder that this link points to is now empty")
			}
			emptied, err := root.Lstat(".")
			if err == nil {
				err = removeSame(top, name, emptied)
			}
			return err
		})
	}
	return p.Purged
}

type purge struct {
	Purged
	dryRun bool
}

func (p *purge) leave(path string, err error) {
	if err != nil {
		p.Left = append(p.Left, fmt.Errorf("%s: %w", path, cause(err)))
	}
}

func (p *purge) remove(path string, do func() error) bool {
	var err error
	if !p.dryRun {
		err = gone(do())
	}
	if err != nil {
		p.leave(path, err)
		return false
	}
	p.Removed++
	return true
}

func (p *purge) empty(f *Folder) bool {
	if _, err := f.owned(); err != nil {
		if foreign, ok := errors.AsType[*ForeignError](err); ok {
			err = errors.New("not a skillgate folder: " + foreign.Why)
		}
		p.leave(f.path, err)
		return false
	}
	entries, err := list(f.root)
	if err != nil {
		p.leave(f.path, err)
		return false
	}
	left := len(p.Left)
	for _, e := range entries {
		path := filepath.Join(f.path, e.Name())
		in, ok := f.kind.folder(e.Name())
		switch {
		case e.Name() == Marker:
		case !f.kind.holds(e):
			p.leave(path, errForm)
		case ok && !in.whole:
			p.folder(f, e, in.kind)
		case ok && e.IsDir():
			p.whole(f, e.Name(), in.kind)
		case e.IsDir():
			p.leave(path, errForm)
		default:
			p.remove(path, func() error { return f.root.Remove(e.Name()) })
		}
	}
	if len(p.Left) > left {
		return false
	}
	if _, err := f.root.Lstat(Marker); err != nil {
		return gone(err) == nil
	}
	return p.remove(filepath.Join(f.path, Marker), func() error { return f.root.Remove(Marker) })
}

// folder empties and removes a folder in f that has its own marker. It follows a link to such a folder.
func (p *purge) folder(f *Folder, e fs.DirEntry, kind Kind) {
	path := filepath.Join(f.path, e.Name())
	open := func() (*os.Root, error) { return f.root.OpenRoot(e.Name()) }
	if e.Type()&fs.ModeSymlink != 0 {
		open = func() (*os.Root, error) { return os.OpenRoot(path) }
	}
	root, err := open()
	if err != nil {
		p.leave(path, err)
		return
	}
	defer root.Close()
	if e.IsDir() && mounted(root) {
		p.leave(path, errMounted)
		return
	}
	if p.empty(&Folder{root, path, kind}) {
		p.remove(path, func() error { return f.root.Remove(e.Name()) })
	}
}

// whole removes a folder in f that has no marker of its own.
func (p *purge) whole(f *Folder, name string, kind Kind) {
	path := filepath.Join(f.path, name)
	sub, err := f.root.OpenRoot(name)
	if err == nil {
		err = f.check(sub, kind, name, new(proof))
		sub.Close()
	}
	if err != nil {
		p.leave(path, err)
		return
	}
	p.remove(path, func() error { return f.RemoveFolder(name) })
}

func mounted(root *os.Root) bool {
	dir, err := root.Open(".")
	if err != nil {
		return false
	}
	defer dir.Close()
	return system.Mounted(dir)
}
