package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
)

// openRerankLibrary returns a gate over the libraries at paths whose candidates all
// have a file: the passage that a model reads comes from it. The lines of .jsonl
// files get one each, in the cache. Without paths the gate is that of the hook.
// known are its skills.
func (e *env) openRerankLibrary(ctx context.Context, d dirs.Dirs, s gate.Settings, paths []string) (g *gate.Gate, known *bench.Library, err error) {
	if len(paths) == 0 {
		return e.openInstalled(ctx, d, s)
	}
	lib, err := readBenchLibrary(ctx, e, paths, "")
	if err != nil {
		return nil, nil, err
	}
	lib.scope = "rerank " + lib.scope
	folder := filepath.Join(d.Cache, "rerank-bench", fingerprint([]byte(lib.scope)))
	if err := writeBodies(folder, lib.entries); err != nil {
		return nil, nil, fmt.Errorf("write the skills of %v: %w", paths, err)
	}
	g, err = lib.open(ctx, e, d, s)
	return g, lib.known, err
}

// openInstalled brings the indexes of the installed skills up to date and opens a
// gate on them.
func (e *env) openInstalled(ctx context.Context, d dirs.Dirs, s gate.Settings) (*gate.Gate, *bench.Library, error) {
	if _, err := e.buildScopes(ctx, d, s, buildFlags{wait: true}); err != nil {
		return nil, nil, err
	}
	g, err := gate.Open(d, e.cwd, s)
	if err != nil {
		return nil, nil, err
	}
	var records []bench.Record
	seen := map[string]bool{} // a project may hold what the user has
	g.Docs(func(doc index.Doc) bool {
		if seen[doc.ID] {
			return true
		}
		seen[doc.ID] = true
		records = append(records, bench.Record{ID: doc.ID, At: doc.Path})
		return true
	})
	known, err := bench.NewLibrary([]string{"installed"}, records)
	if err != nil {
		return nil, nil, errors.Join(err, g.Close())
	}
	return g, known, nil
}

// writeBodies writes the entries that have no file into folder, each to one named
// for its place, and notes its path.
func writeBodies(folder string, entries []catalog.Entry) error {
	made := false
	for i := range entries {
		entry := &entries[i]
		if entry.Path != "" {
			continue
		}
		if !made {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return err
			}
			made = true
		}
		text := entry.Body
		if entry.Frontmatter != "" {
			text = "---\n" + entry.Frontmatter + "\n---\n" + text
		}
		entry.Path = filepath.Join(folder, fmt.Sprintf("%06d.md", i))
		if err := os.WriteFile(entry.Path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
