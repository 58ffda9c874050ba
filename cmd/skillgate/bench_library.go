package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
)

// benchLibrary is what one job searches.
type benchLibrary struct {
	paths   []string
	scope   string // what names its index in the cache
	entries []catalog.Entry
	known   *bench.Library
	expand  func(id, hash string) []string // nil without enrichment
}

// readBenchLibrary reads folders and library files as one library, of the skills
// whose id starts with only.
func readBenchLibrary(ctx context.Context, e *env, paths []string, only string) (benchLibrary, error) {
	lib := benchLibrary{paths: paths}
	names := []string{"bench:" + only}
	var records []bench.Record
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return lib, err
		}
		names = append(names, abs)
		entries, err := readEntries(ctx, e, path)
		if err != nil {
			return lib, err
		}
		if len(entries) == 0 {
			return lib, noSkills(path)
		}
		for _, entry := range entries {
			if strings.HasPrefix(entry.ID, only) {
				lib.entries = append(lib.entries, entry)
				from := entry.Path
				if from == "" {
					from = path
				}
				records = append(records, bench.Record{ID: entry.ID, Body: entry.Body, At: from})
			}
		}
	}
	if len(lib.entries) == 0 {
		return lib, fmt.Errorf("no skill of %s has an id that starts with %q", strings.Join(paths, ", "), only)
	}
	lib.scope = strings.Join(names, "\n")
	var err error
	lib.known, err = bench.NewLibrary(paths, records)
	return lib, err
}

// libraryHint says what may be given as a library.
const libraryHint = `want a folder of skills, or a .jsonl or .jsonl.gz file with one {"id","name","description","frontmatter","body"} object a line`

// noSkills is the error of libraries that hold none.
func noSkills(paths ...string) error {
	return &exitError{code: 3, err: fmt.Errorf("library %s: no skills", strings.Join(paths, ", ")), hint: "a skill is a folder with a SKILL.md, or a line of a .jsonl file"}
}

// readEntries reads one --library: a folder, or a JSON Lines file. Its errors carry the
// next step.
func readEntries(ctx context.Context, e *env, path string) ([]catalog.Entry, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, &exitError{code: 3, err: fmt.Errorf("library %s: %w", path, unwrapPath(err)), hint: libraryHint}
	}
	if !fi.IsDir() {
		entries, err := catalog.ReadLibraryFile(path)
		if err != nil {
			return nil, &exitError{code: 3, err: err, hint: libraryHint}
		}
		return entries, nil
	}
	root := catalog.LibraryRoot(path)
	files, problems := catalog.Files(ctx, []catalog.Root{root}, nil)
	for _, problem := range problems {
		fmt.Fprintf(e.stderr, "skillgate: note: %v\n", problem)
	}
	entries := make([]catalog.Entry, 0, len(files))
	for _, file := range files {
		entry, err := catalog.Read(root, file)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// publicLibrary makes a library of a public set's records, each read as the
// catalog reads a line of a library file.
func publicLibrary(dir string, p *bench.Public) (benchLibrary, error) {
	lib := benchLibrary{paths: []string{dir}, scope: "bench:" + p.Set.Name + "\n" + dir}
	var err error
	if lib.known, err = bench.NewLibrary([]string{dir}, p.Records); err != nil {
		return lib, err
	}
	r, w := io.Pipe()
	go func() {
		enc := json.NewEncoder(w)
		for i := range p.Records {
			record := &p.Records[i]
			line := map[string]string{"id": record.ID, "name": record.Name, "description": record.Description, "body": record.Body}
			if err := enc.Encode(line); err != nil {
				w.CloseWithError(err)
				return
			}
			record.Body = "" // the entry has it now
		}
		w.Close()
	}()
	lib.entries, err = catalog.ReadJSONL(r, dir)
	r.Close()
	return lib, err
}

// enrich adds the expansions of file, "" for none, to what is indexed.
func (l *benchLibrary) enrich(file string) error {
	if file == "" {
		return nil
	}
	var err error
	if l.expand, err = readEnrichment(file); err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	l.scope += "\nenrichment " + fingerprint(text)
	return nil
}

// open brings the library's index in the cache up to date and opens a gate on it.
func (l *benchLibrary) open(ctx context.Context, e *env, d dirs.Dirs, s gate.Settings) (*gate.Gate, error) {
	user, err := compileUserDict(d)
	if err != nil {
		return nil, err
	}
	dir := index.Dir(d.Cache, l.scope)
	bar := e.progress("indexing "+strings.Join(l.paths, ", "), false)
	opts := index.Options{
		Dir: dir, Scope: l.scope, Entries: l.entries, Expansion: l.expand, UserDict: user, Fingerprint: fingerprint(user),
		Wait: true, Progress: bar.set, Now: e.now,
	}
	judge(&opts, s)
	_, err = index.Build(ctx, opts)
	bar.done()
	l.entries = nil // the index has them
	if err != nil {
		return nil, err
	}
	x, err := index.Open(dir)
	if err != nil {
		return nil, err
	}
	return gate.OpenIndexes(s, []string{strings.Join(l.paths, ", ")}, x), nil
}
