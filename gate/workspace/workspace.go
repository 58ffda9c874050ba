// Package workspace opens the skills that a command works on: the installed skills of a session, libraries, or skills
// that the caller has read.
//
//	Source + Options → key and state → index.Build, if anything changed → Gate or indexes
//
// The index of libraries is kept in the cache. The name of its folder is a hash of the paths, Source.Prefix,
// Source.WithFiles and whether risks are computed. Its state is a hash of the user dictionary and the size and time of
// every source file; if it is unchanged, no skill is read. The hook reads the same indexes of installed skills.
//
// The trust limit of the settings (trust.max_risk) applies to every source.
//
// The package prints nothing. Errors that the user can do something about have the type *Error.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/system"
)

// Source says which skills to open: those of Libraries, or else Entries, or else the installed skills that a session in
// Cwd could use. It must not be copied after its first use.
type Source struct {
	Cwd       string   // base of relative paths in Libraries
	Libraries []string // folders of skills, .jsonl and .jsonl.gz files
	Prefix    string   // take only skills of Libraries whose IDs start with Prefix
	WithFiles bool     // write a file for each skill that has none, such as a line of a .jsonl file

	Name    string // name that identifies Entries
	Entries []catalog.Entry

	listed *listing // content of Libraries
}

type Options struct {
	Dirs     dirs.Dirs
	Settings gate.Settings

	Below []string // folders of installed skills below the session's folder (see catalog.Roots)

	AsIs       bool // open the existing index, however old, and build nothing
	Full       bool // build installed skills from scratch
	Background bool // do not wait for another builder, and store errors of the user dictionary as a note in the index

	Now      func() time.Time
	Progress func(label string) (set func(done, total int), end func()) // called for each build; may be nil
	Note     func(error)                                                // called for each unreadable file; may be nil
}

// Open updates the indexes of a source's skills, in a temporary folder if the cache cannot be written, and returns a
// gate over them. The caller closes the gate.
func Open(ctx context.Context, src *Source, o Options) (*gate.Gate, error) {
	return elsewhere(o, func(o Options) (*gate.Gate, error) { return open(ctx, src, o) })
}

func open(ctx context.Context, src *Source, o Options) (*gate.Gate, error) {
	if src.installed() {
		if !o.AsIs {
			if _, err := Refresh(ctx, src.Cwd, o); err != nil {
				return nil, err
			}
		}
		return gate.Open(o.Dirs, src.Cwd, o.Settings)
	}
	x, err := openLibrary(ctx, src, o)
	if err != nil {
		return nil, err
	}
	return gate.OpenIndexes(o.Settings, []string{src.label()}, x), nil
}

// Indexes is like Open but returns the indexes instead of a gate. It returns none if there is no skill or, with AsIs,
// if none was indexed. The caller closes them.
func Indexes(ctx context.Context, src *Source, o Options) ([]*index.Index, error) {
	return elsewhere(o, func(o Options) ([]*index.Index, error) { return indexes(ctx, src, o) })
}

func indexes(ctx context.Context, src *Source, o Options) ([]*index.Index, error) {
	if !src.installed() {
		x, err := openLibrary(ctx, src, o)
		problem := (*Error)(nil)
		switch {
		case o.AsIs && err != nil, errors.As(err, &problem) && problem.Problem == NoSkills:
			return nil, nil
		case err != nil:
			return nil, err
		}
		return []*index.Index{x}, nil
	}
	if !o.AsIs {
		if _, err := Refresh(ctx, src.Cwd, o); err != nil {
			return nil, err
		}
	}
	var out []*index.Index
	for _, scope := range scopes(o.Dirs, src.Cwd, o.Settings) {
		x, err := index.Open(scope.Dir)
		if o.AsIs && err != nil || errors.Is(err, index.ErrNoIndex) {
			continue
		}
		if err != nil {
			Close(out)
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// elsewhere calls open. If the cache cannot be written, it calls open again with a copy of the cache in a temporary
// folder. It then removes the folder; files opened in it can still be read.
func elsewhere[T any](o Options, open func(Options) (T, error)) (T, error) {
	out, err := open(o)
	if unwritable(err) == nil {
		return out, err
	}
	tmp, terr := disk.NewTemp("", "skillgate-index-")
	if terr != nil {
		return out, err
	}
	defer tmp.Remove()
	return open(o.copied(err, filepath.Join(tmp.Path, "cache")))
}

// RefreshCopy is like Refresh, but if the cache cannot be written, it refreshes a copy in the folder to, which it
// creates if needed. It returns the folder of the updated cache.
func RefreshCopy(ctx context.Context, cwd string, o Options, to string) (cache string, err error) {
	if _, err = Refresh(ctx, cwd, o); unwritable(err) != nil {
		o = o.copied(err, to)
		_, err = Refresh(ctx, cwd, o)
	}
	return o.Dirs.Cache, err
}

// unwritable returns the reason why the cache cannot be written, or nil if err is another error.
func unwritable(err error) error {
	problem := (*Error)(nil)
	if !errors.As(err, &problem) || problem.Problem != CannotBuild {
		return nil
	}
	if _, foreign := errors.AsType[*disk.ForeignError](err); !foreign && !system.Unwritable(err) {
		return nil
	}
	return problem.Err
}

// copied returns the options with a copy of the cache in the folder to. It reports err, which says that the cache
// cannot be written.
func (o Options) copied(err error, to string) Options {
	cache := o.Dirs.Cache
	o.Dirs.Cache = to
	if _, err := os.Lstat(to); err == nil {
		return o
	}
	_ = index.Fork(cache, to) // if this fails, everything is built from scratch
	if err := os.MkdirAll(to, 0o700); err == nil {
		_ = os.Symlink(fetched.All(cache), fetched.All(to))
	}
	o.note(fmt.Errorf("the index is in a temporary folder, because the cache cannot be written: %w", unwritable(err)))
	return o
}

// Close closes indexes.
func Close(indexes []*index.Index) {
	for _, x := range indexes {
		x.Close()
	}
}

func (s *Source) installed() bool { return len(s.Libraries) == 0 && s.Entries == nil }

func (o *Options) progress(label string) (set func(done, total int), end func()) {
	if o.Progress == nil {
		return nil, func() {}
	}
	return o.Progress("indexing " + label)
}

func (o *Options) note(err error) {
	if o.Note != nil {
		o.Note(err)
	}
}
