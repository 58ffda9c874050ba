package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
)

// openLibrary opens the index of Libraries or Entries and updates it if they have changed.
func openLibrary(ctx context.Context, src *Source, o Options) (*index.Index, error) {
	dir := filepath.Join(o.Dirs.Cache, cacheFolder, src.key(o))
	if o.AsIs {
		return index.Open(dir)
	}
	list, err := src.list(ctx)
	if err != nil {
		return nil, err
	}
	text, err := ReadDictText(DictFile(o.Dirs))
	if err != nil {
		return nil, err
	}
	state := fingerprint(text, []byte(list.state))
	if o.Settings.Trust.MaxRisk < 1 {
		state = fingerprint([]byte(state), []byte(rules()), []byte(list.beside()))
	}
	touch(dir, o.Now())
	x, err := index.OpenChecked(dir)
	if err == nil && x.Manifest.State != state {
		x.Close()
		err = index.ErrStale
	}
	problems := list.problems
	if err != nil {
		if problems, err = src.build(ctx, dir, state, o); err != nil {
			return nil, err
		}
		if x, err = index.Open(dir); err != nil {
			return nil, err
		}
	}
	if src.listed = nil; len(src.Libraries) > 0 {
		src.Entries = nil // the index now contains the entries
	}
	for _, p := range problems {
		o.note(p)
	}
	if x.Manifest.Skills == 0 {
		x.Close()
		return nil, noSkills(src.label())
	}
	return x, nil
}

// build updates the index in dir from the source. It returns an error for each file that could not be read.
func (s *Source) build(ctx context.Context, dir, state string, o Options) ([]error, error) {
	user, err := CompileDict(DictFile(o.Dirs))
	if err != nil {
		return nil, err
	}
	opts := index.Options{
		Dir: dir, Scope: strings.Join(s.names(), ", "), State: state, UserDict: user, Fingerprint: fingerprint(user),
		Wait: true, Now: o.Now,
	}
	if o.Settings.Trust.MaxRisk < 1 {
		opts.Risk, opts.Beside = lint.Risk, lint.Beside
		opts.Fingerprint += risksIn + rules()
	}
	if root, ok := s.folder(); ok {
		if len(s.listed.paths[0].files) == 0 {
			return nil, noSkills(s.label())
		}
		opts.Roots = []catalog.Root{root}
	} else if opts.Entries, err = s.Read(ctx); err != nil {
		return nil, err
	}
	if err := claim(dir, disk.Libraries, o); err != nil {
		return nil, err
	}
	if s.WithFiles && opts.Entries != nil {
		if err := writeFiles(filepath.Join(dir, "lines"), opts.Entries); err != nil {
			return nil, &Error{CannotBuild, o.Dirs.Cache, err}
		}
	}
	sum, err := build(ctx, disk.Libraries, opts, s.label(), o)
	if err != nil {
		return nil, err
	}
	touch(dir, o.Now())
	sweepUnused(filepath.Dir(dir), o.Now())
	if opts.Roots == nil {
		return s.listed.problems, nil
	}
	var problems []error
	for _, p := range sum.Problems {
		problems = append(problems, errors.New(p))
	}
	return problems, nil
}

// Read returns the skills of Libraries, if there are any, or else Entries. It keeps the result in Entries until Open.
func (s *Source) Read(ctx context.Context) ([]catalog.Entry, error) {
	if s.Entries != nil || len(s.Libraries) == 0 {
		return s.Entries, nil
	}
	list, err := s.list(ctx)
	if err != nil {
		return nil, err
	}
	var out []catalog.Entry
	var empty []string
	for i, path := range s.Libraries {
		entries, err := list.paths[i].read()
		if err != nil {
			return nil, err
		}
		if len(entries) == 0 {
			empty = append(empty, path)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.ID, s.Prefix) {
				out = append(out, e)
			}
		}
	}
	if len(empty) > 0 {
		return nil, noSkills(strings.Join(empty, ", "))
	}
	if len(out) == 0 {
		list := strings.Join(s.Libraries, ", ")
		return nil, &Error{NoSkills, list, fmt.Errorf("no skill in %s has an id that starts with %q", list, s.Prefix)}
	}
	s.Entries = out
	return out, nil
}

// key returns the name of the index's folder. It depends on the inputs that vary from command to command. Inputs that
// change over time, such as files or the user's dictionary, are in the state.
func (s *Source) key(o Options) string {
	h := sha256.New()
	for _, name := range s.names() {
		part(h, name)
	}
	part(h, "of "+s.Prefix)
	part(h, fmt.Sprint(s.WithFiles, o.Settings.Trust.MaxRisk < 1))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// names returns the absolute paths of the libraries, or the name of the entries.
func (s *Source) names() []string {
	if len(s.Libraries) == 0 {
		return []string{"entries " + s.Name}
	}
	out := make([]string, len(s.Libraries))
	for i, path := range s.Libraries {
		out[i] = dirs.Absolute(s.Cwd, path)
	}
	return out
}

func (s *Source) label() string {
	if len(s.Libraries) == 0 {
		return s.Name
	}
	return strings.Join(s.Libraries, ", ")
}

// folder returns the root of the source if the source is a single folder. Its index then reuses the skills whose files
// have not changed. Other sources are indexed from the result of Read.
func (s *Source) folder() (catalog.Root, bool) {
	if len(s.Libraries) != 1 || s.Prefix != "" || !s.listed.paths[0].folder {
		return catalog.Root{}, false
	}
	return s.listed.paths[0].root, true
}

// listing is the content of the libraries, found without opening a file.
type listing struct {
	paths    []listedPath
	state    string // changes if the path, size or time of any file does
	problems []error
}

type listedPath struct {
	root   catalog.Root // set if the path is a folder
	files  []catalog.File
	folder bool
	file   string // set if the path is a file
}

// list returns the listing of the libraries. It searches them only once.
func (s *Source) list(ctx context.Context) (*listing, error) {
	if s.listed != nil {
		return s.listed, nil
	}
	l := &listing{}
	h := sha256.New()
	if len(s.Libraries) == 0 {
		for i := range s.Entries {
			part(h, s.Entries[i].ID+"\n"+s.Entries[i].Hash)
		}
	}
	for i, path := range s.names()[:len(s.Libraries)] {
		info, err := os.Stat(path)
		if err != nil {
			return nil, badLibrary(s.Libraries[i], err)
		}
		if !info.IsDir() {
			stamp(h, path, info)
			l.paths = append(l.paths, listedPath{file: path})
			continue
		}
		root := catalog.LibraryRoot(path)
		files, problems := catalog.Files(ctx, []catalog.Root{root}, nil)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, f := range files {
			part(h, fmt.Sprintf("%s\n%d %d", f.Path, f.Size, f.ModTime))
		}
		l.paths = append(l.paths, listedPath{root: root, files: files, folder: true})
		l.problems = append(l.problems, problems...)
	}
	l.state = string(h.Sum(nil))
	s.listed = l
	return l, nil
}

// beside returns a hash of the state of the skills' other files, which affect their risk.
func (l *listing) beside() string {
	h := sha256.New()
	for _, p := range l.paths {
		for _, f := range p.files {
			part(h, fmt.Sprint(lint.Beside(f.Path)))
		}
	}
	return string(h.Sum(nil))
}

func (p *listedPath) read() ([]catalog.Entry, error) {
	if !p.folder {
		entries, err := libraryfile.Read(p.file)
		if err != nil {
			return nil, &Error{BadLibrary, p.file, err}
		}
		return entries, nil
	}
	out := make([]catalog.Entry, 0, len(p.files))
	for _, file := range p.files {
		e, err := catalog.Read(p.root, file)
		if err != nil {
			return nil, &Error{BadLibrary, p.root.Path, err}
		}
		out = append(out, e)
	}
	return out, nil
}

// writeFiles writes each entry without a file to a file in folder, named by its position, and sets its path.
func writeFiles(folder string, entries []catalog.Entry) error {
	for i := range entries {
		e := &entries[i]
		if e.Path != "" {
			continue
		}
		text := e.Body
		if e.Frontmatter != "" {
			text = "---\n" + e.Frontmatter + "\n---\n" + text
		}
		e.Path = filepath.Join(folder, fmt.Sprintf("%06d.md", i))
		if err := disk.Keep(e.Path, disk.Lines, []byte(text), disk.Options{}); err != nil {
			return err
		}
	}
	return nil
}

func part(h hash.Hash, text string) { fmt.Fprintf(h, "%d:%s", len(text), text) }

func stamp(h hash.Hash, path string, info fs.FileInfo) {
	part(h, fmt.Sprintf("%s\n%d %d", path, info.Size(), info.ModTime().UnixNano()))
}

// fingerprint returns a hash of texts that an index contains in addition to the skills.
func fingerprint(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		part(h, string(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// cacheFolder is the folder below dirs.Dirs.Cache for the indexes of libraries.
const cacheFolder = "libraries"

// unusedFor is the time for which the index of a library is kept after its last use.
const unusedFor = 30 * 24 * time.Hour

// touch marks an index as used now. See sweepUnused.
func touch(dir string, now time.Time) {
	if f, err := disk.Open(dir, disk.Index); err == nil {
		_ = f.Touch(now)
		f.Close()
	}
}

// sweepUnused removes the indexes in folder that were not used for unusedFor. It ignores errors.
func sweepUnused(folder string, now time.Time) {
	f, err := disk.Open(folder, disk.Libraries)
	if err != nil {
		return
	}
	defer f.Close()
	entries, _ := f.Entries()
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > unusedFor {
			_ = f.RemoveFolder(e.Name())
		}
	}
}
