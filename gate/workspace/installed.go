package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/lint"
)

// Refresh updates the indexes of the skills that a session in cwd could use: the shared index, the project's, and the
// indexes of its subfolders named in the recent log or in o.Below. It returns a summary for each index.
func Refresh(ctx context.Context, cwd string, o Options) ([]index.Summary, error) {
	with, err := readWords(o)
	if err != nil {
		return nil, err
	}
	index.SweepVersions(o.Dirs.Cache, o.Now())
	below := slices.Clone(o.Below)
	for _, f := range Subfolders(ctx, cwd, o) {
		below = append(below, f.Path)
	}
	roots, problems := catalog.Roots(o.Dirs, cwd, o.Settings.Libraries, below...)
	var out []index.Summary
	for i, scope := range gate.Scopes(o.Dirs, roots) {
		opts, err := with.options(scope, o)
		if err != nil {
			return out, err
		}
		sum, err := build(ctx, disk.Indexes, opts, scope.Label, o)
		if errors.Is(err, index.ErrBusy) && o.Background {
			continue // another process is building the same index
		}
		if err != nil {
			return out, err
		}
		if i == 0 {
			for _, p := range problems {
				sum.Problems = append(sum.Problems, p.Error())
			}
		}
		out = append(out, sum)
	}
	return out, nil
}

// Listed builds the index for the list of skills that a host reports in a session. told has the skills on the list
// without a known file; unlisted has the names of known skills that are not on the list. It returns the name of the
// index, or "" if both are empty.
func Listed(ctx context.Context, told []catalog.Entry, unlisted []string, o Options) (string, error) {
	if len(told)+len(unlisted) == 0 {
		return "", nil
	}
	h := sha256.New()
	for _, e := range told {
		fmt.Fprintf(h, "%q%q%q", e.ID, e.Name, e.Hash)
	}
	fmt.Fprintf(h, "%q", unlisted)
	name := gate.Listed + hex.EncodeToString(h.Sum(nil)[:8])
	_, err := build(ctx, disk.Indexes, index.Options{
		Dir: index.Dir(o.Dirs.Cache, name), Scope: name, Entries: told,
		State: strings.Join(unlisted, "\n"), Wait: true, Now: o.Now,
	}, name, o)
	return name, err
}

// words holds the texts that the indexes of installed skills contain in addition to the skills.
type words struct {
	user  []byte // compiled user synonyms
	note  string // reason why the user synonyms cannot be read
	known *enrich.Store
	mark  string // fingerprint of user and note
}

func readWords(o Options) (*words, error) {
	user, err := CompileDict(DictFile(o.Dirs))
	w := &words{user: user, mark: fingerprint(user)}
	switch {
	case err != nil && !o.Background:
		return nil, err
	case err != nil: // Build stores the note, and it is logged with the next prompts
		w.note = err.Error()
		w.mark = fingerprint(user, []byte(w.note))
	}
	if w.known, err = enrich.Load(o.Dirs.State); err != nil {
		return nil, &Error{BadState, o.Dirs.State, err}
	}
	return w, nil
}

func (w *words) options(scope gate.Scope, o Options) (index.Options, error) {
	opts := index.Options{
		Dir: scope.Dir, Scope: scope.Label, Roots: scope.Roots, UserDict: w.user, Fingerprint: w.mark,
		Watch: []string{DictFile(o.Dirs), filepath.Join(o.Dirs.State, enrich.File)},
		Note:  w.note, Expansion: w.known.Lookup, Full: o.Full, Wait: !o.Background, Now: o.Now,
	}
	if scope.Label == gate.Shared {
		opts.Watch = append(opts.Watch, catalog.PluginFiles(o.Dirs)...)
	}
	if scope.Reference != "" {
		tree := fetched.Current(o.Dirs.Cache, scope.Reference)
		along, err := enrich.Load(tree)
		if err != nil {
			return opts, &Error{BadState, tree, err}
		}
		opts.Expansion = w.with(along, scope.Roots[0].Label)
	}
	if opts.Roots == nil {
		opts.Roots = []catalog.Root{}
	}
	if withRisks(scope.Dir, w.mark, o) {
		opts.Risk, opts.Beside = lint.Risk, lint.Beside
		opts.Fingerprint += risksIn + rules()
	}
	return opts, nil
}

// with returns an Expansion function for a fetched library. It looks in the user's store first, then in along, which
// came with the library and has IDs relative to it.
func (w *words) with(along *enrich.Store, label string) func(id, hash string) []string {
	return func(id, hash string) []string {
		if texts := w.known.Lookup(id, hash); texts != nil {
			return texts
		}
		return along.Lookup(strings.TrimPrefix(id, label+"/"), hash)
	}
}

// claim creates the folder dir for an index. in is the kind of its parent folder.
func claim(dir string, in disk.Kind, o Options) error {
	err := disk.Ensure(filepath.Dir(dir), in)
	if err == nil {
		err = disk.Ensure(dir, disk.Index)
	}
	if err != nil {
		return &Error{CannotBuild, o.Dirs.Cache, err}
	}
	return nil
}

// build calls index.Build, reports progress and returns errors for the user. in is the kind of the parent folder.
func build(ctx context.Context, in disk.Kind, opts index.Options, label string, o Options) (index.Summary, error) {
	if err := claim(opts.Dir, in, o); err != nil {
		return index.Summary{}, err
	}
	var end func()
	opts.Progress, end = o.progress(label)
	opts.Background = gate.Background
	sum, err := index.Build(ctx, opts)
	end()
	if err != nil && ctx.Err() == nil && !errors.Is(err, index.ErrBusy) {
		err = &Error{CannotBuild, o.Dirs.Cache, err}
	}
	return sum, err
}

// risksIn separates words.mark from the result of rules in the fingerprint of an index with risks.
const risksIn = " with risks of "

// rules returns a hash that identifies this binary, whose safety rules determine the risks.
func rules() string {
	h := sha256.New()
	if file, err := os.Executable(); err == nil {
		if info, err := os.Stat(file); err == nil {
			stamp(h, "", info)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// withRisks reports whether the index in dir needs each skill's risk: because the settings limit the risk, or because
// it already has risks. An index keeps them because a replay may read it with and without a limit.
func withRisks(dir, mark string, o Options) bool {
	if o.Settings.Trust.MaxRisk < 1 {
		return true
	}
	m, err := index.Newest(dir)
	return !o.Full && err == nil && strings.HasPrefix(m.Fingerprint, mark+risksIn)
}

func scopes(d dirs.Dirs, cwd string, s gate.Settings) []gate.Scope {
	roots, _ := catalog.Roots(d, cwd, s.Libraries) // Refresh reports the problems
	return gate.Scopes(d, roots)
}

// Outdated returns the number of skills that a session in cwd could use and that have changed since they were indexed.
func Outdated(ctx context.Context, cwd string, o Options) (n int, err error) {
	for _, scope := range scopes(o.Dirs, cwd, o.Settings) {
		changed, err := index.Outdated(ctx, scope.Dir, scope.Roots)
		if err != nil {
			return n, err
		}
		n += changed
	}
	return n, nil
}

// recent is the maximum age of the decisions that are searched for subfolders.
const recent = 14 * 24 * time.Hour

// Subfolders returns the folders of skills below cwd in the recent log, with the latest names of their skills. It
// returns none if the journal cannot be read: a build must not fail because of it.
func Subfolders(ctx context.Context, cwd string, o Options) []gate.Subfolder {
	if !store.Exists(o.Dirs.State) {
		return nil
	}
	db, err := store.Read(ctx, o.Dirs.State, o.Now(), 0, nil)
	if err != nil {
		return nil
	}
	defer db.Close()
	uses, err := db.Generations(ctx, o.Now().Add(-recent))
	if err != nil {
		return nil
	}
	var out []gate.Subfolder
	for _, u := range uses {
		if to, err := filepath.Rel(cwd, u.Root); !u.Below || err != nil || !filepath.IsLocal(to) {
			continue
		}
		at := slices.IndexFunc(out, func(f gate.Subfolder) bool { return f.Path == u.Root })
		if at < 0 {
			at = len(out)
			out = append(out, gate.Subfolder{Path: u.Root, Names: map[string]string{}})
		}
		maps.Copy(out[at].Names, u.Names) // keep older names, since a session may not have learned any yet
	}
	return out
}
