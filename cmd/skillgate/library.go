package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
)

// places returns the folders of this user, or an error with a hint.
func (e *env) places() (dirs.Dirs, error) {
	d, err := dirs.FromEnv(e.getenv)
	if err != nil {
		return d, &exitError{code: 3, err: err, hint: "set HOME to your home folder"}
	}
	return d, nil
}

// settings loads the settings strictly: every command but hook stops on a bad one.
func (e *env) settings(d dirs.Dirs) (gate.Settings, error) {
	s, err := gate.Load(d, e.cwd, e.environ)
	if err != nil {
		return s, &exitError{code: 3, err: err, hint: "correct what it names, or take it out; `skillgate doctor` shows all settings"}
	}
	return s, nil
}

// placesAndSettings is places, then settings.
func (e *env) placesAndSettings() (dirs.Dirs, gate.Settings, error) {
	d, err := e.places()
	if err != nil {
		return d, gate.Settings{}, err
	}
	s, err := e.settings(d)
	return d, s, err
}

// buildScopes brings the indexes of a session in e.cwd up to date.
func (e *env) buildScopes(ctx context.Context, d dirs.Dirs, s gate.Settings, o buildFlags) ([]index.Summary, error) {
	roots, problems := catalog.Roots(d, e.cwd, s.Libraries)
	note := ""
	user, err := compileUserDict(d)
	switch {
	case err != nil && !o.quiet:
		return nil, err
	case err != nil: // nobody to tell: the log of the next prompts says it
		note = err.Error()
	}
	mark := fingerprint(user)
	if note != "" {
		mark = fingerprint(user, []byte(note))
	}
	expansion, err := expansions(d)
	if err != nil {
		return nil, &exitError{code: 3, err: err, hint: "is " + d.State + " readable?"}
	}
	kept := e.loggedGenerations(ctx, d)
	var out []index.Summary
	for i, scope := range []gate.Scope{gate.SharedScope(d, roots), gate.ProjectScope(d, roots)} {
		if scope.Name == "" {
			continue
		}
		opts := index.Options{
			Dir: scope.Dir, Scope: scope.Label, Roots: scope.Roots, UserDict: user, Fingerprint: mark,
			Watch: []string{filepath.Join(d.Config, "synonyms.yaml"), filepath.Join(d.State, enrich.File)},
			Note:  note, Expansion: expansion, Full: o.full, Wait: o.wait, Keep: kept[scope.Label], Now: e.now,
		}
		judge(&opts, s)
		if opts.Roots == nil {
			opts.Roots = []catalog.Root{}
		}
		bar := e.progress("indexing "+scope.Label, o.quiet)
		opts.Progress = bar.set
		sum, err := index.Build(ctx, opts)
		bar.done()
		if errors.Is(err, index.ErrBusy) && o.quiet {
			continue // the other builder does the same work
		}
		if err != nil {
			return out, indexError(err, d)
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

// indexError adds the next step to an error of a build.
func indexError(err error, d dirs.Dirs) error {
	return &exitError{code: 3, err: err, hint: "is " + d.Cache + " writable, with space left?"}
}

// buildFlags say how buildScopes goes about it.
type buildFlags struct {
	full  bool
	wait  bool
	quiet bool
}

// judge makes a build keep the risk of each skill where the settings leave any out for it.
func judge(o *index.Options, s gate.Settings) {
	if s.TrustLimit() < 1 {
		o.Risk = lint.Risk
		o.Fingerprint += " with risks"
	}
}

// fingerprint identifies what goes into an index beside the skills.
func fingerprint(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// openLibrary returns a gate over the libraries at paths instead of the host's
// roots: folders of skills, or .jsonl and .jsonl.gz files. Their index is cached
// and brought up to date first.
func (e *env) openLibrary(ctx context.Context, d dirs.Dirs, s gate.Settings, paths []string, enrichment string) (*gate.Gate, error) {
	user, err := compileUserDict(d)
	if err != nil {
		return nil, err
	}
	scope := "library:"
	var entries []catalog.Entry
	var roots []catalog.Root
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		scope += abs + "\n"
		fi, err := os.Stat(abs)
		if err != nil {
			return nil, &exitError{code: 3, err: fmt.Errorf("library %s: %w", path, unwrapPath(err)), hint: libraryHint}
		}
		if fi.IsDir() && len(paths) == 1 {
			roots = append(roots, catalog.LibraryRoot(abs))
			continue
		}
		// One index holds either a folder or lines: of several paths folders are read as lines.
		more, err := readEntries(ctx, e, abs)
		if err != nil {
			return nil, err
		}
		entries = append(entries, more...)
	}
	if len(roots) == 0 && len(entries) == 0 {
		return nil, noSkills(paths...)
	}
	expansion, err := readEnrichment(enrichment)
	if err != nil {
		return nil, err
	}
	dir := index.Dir(d.Cache, scope)
	bar := e.progress("indexing "+strings.Join(paths, ", "), false)
	opts := index.Options{
		Dir: dir, Scope: strings.Join(paths, ", "), Roots: roots, Entries: entries, UserDict: user,
		Fingerprint: fingerprint(user), Expansion: expansion, Wait: true, Progress: bar.set, Now: e.now,
	}
	judge(&opts, s)
	sum, err := index.Build(ctx, opts)
	bar.done()
	if err != nil {
		return nil, indexError(err, d)
	}
	if sum.Skills == 0 {
		return nil, noSkills(paths...)
	}
	x, err := index.Open(dir)
	if err != nil {
		return nil, err
	}
	return gate.OpenIndexes(s, []string{strings.Join(paths, ", ")}, x), nil
}

// unwrapPath drops the operation and path that the caller says itself.
func unwrapPath(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
