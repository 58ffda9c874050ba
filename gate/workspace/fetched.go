package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/index"
)

// Export indexes the library in folder without this machine's synonyms and writes the index to a new folder, to, from
// which InstallIndex installs it on other machines. expansions is the folder of the expansion store, or "" for none.
// The index stays in the cache, so that the next export only has to index the changes.
func Export(ctx context.Context, folder, expansions, to string, o Options) (*index.Manifest, error) {
	root := catalog.LibraryRoot(folder)
	opts := index.Options{
		Dir: index.Dir(o.Dirs.Cache, "export:"+root.Path), Scope: root.Path, Roots: []catalog.Root{root},
		Fingerprint: fingerprint(nil), Wait: true, Now: o.Now,
	}
	if expansions != "" {
		known, err := enrich.Load(expansions)
		if err != nil {
			return nil, &Error{BadState, expansions, err}
		}
		opts.Expansion = known.Lookup
	}
	sum, err := build(ctx, disk.Indexes, opts, folder, o)
	if err != nil {
		return nil, err
	}
	for _, p := range sum.Problems {
		o.note(errors.New(p))
	}
	if sum.Skills == 0 {
		return nil, noSkills(folder)
	}
	m, err := index.Export(opts.Dir, to)
	if err != nil {
		return nil, &Error{CannotBuild, to, err}
	}
	return m, nil
}

// InstallIndex installs the index in tree as the index of a reference. Call it before tree becomes fetched.Current. It
// returns index.ErrMisfit if this machine must index the skills itself, as the next Refresh does.
func InstallIndex(ctx context.Context, reference, tree string, o Options) (index.Summary, error) {
	o.Background = true // ignore errors in the user's dictionary
	with, err := readWords(o)
	if err != nil {
		return index.Summary{}, err
	}
	scope := gate.FetchedScope(o.Dirs, catalog.ReferenceRoot(o.Dirs, reference))
	opts, err := with.options(scope, o)
	if err != nil {
		return index.Summary{}, err
	}
	from := fetched.Index(tree)
	if _, err := os.Stat(filepath.Join(from, "manifest.json")); err != nil {
		return index.Summary{}, errors.Join(index.ErrMisfit, err)
	}
	if err := claim(opts.Dir, disk.Indexes, o); err != nil {
		return index.Summary{}, err
	}
	return index.Install(ctx, opts, from, fetched.Skills(tree))
}
