package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
)

// openRerankLibrary returns a gate over the libraries at paths whose candidates all
// have a file: the passage that a model reads comes from it. The lines of .jsonl
// files get one each, in the cache.
func (e *env) openRerankLibrary(ctx context.Context, d dirs.Dirs, s gate.Settings, paths []string) (*gate.Gate, error) {
	lib, err := readBenchLibrary(ctx, e, paths, "")
	if err != nil {
		return nil, &exitError{code: 3, err: err, hint: "--library takes a folder of skills, or a .jsonl or .jsonl.gz file"}
	}
	lib.scope = "rerank " + lib.scope
	folder := filepath.Join(d.Cache, "rerank-bench", fingerprint([]byte(lib.scope)))
	if err := writeBodies(folder, lib.entries); err != nil {
		return nil, fmt.Errorf("write the skills of %v: %w", paths, err)
	}
	return lib.open(ctx, e, d, s)
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
