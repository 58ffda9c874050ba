package main

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/workspace"
)

// benchLibrary is what one job searches.
type benchLibrary struct {
	paths      []string
	source     *workspace.Source
	known      *bench.Library
	expansions []enrich.Expansion
}

// readBenchLibrary reads folders and library files as one library, of the skills
// whose id starts with only.
func readBenchLibrary(ctx context.Context, e *env, paths []string, only string) (benchLibrary, error) {
	lib := benchLibrary{paths: paths, source: &workspace.Source{Cwd: e.cwd, Libraries: paths, Prefix: only}}
	entries, err := lib.source.Read(ctx)
	if err != nil {
		return lib, app.OpenError(err)
	}
	records := make([]bench.Record, len(entries))
	for i := range entries {
		entry := &entries[i]
		records[i] = bench.Record{ID: entry.ID, Body: entry.Body, At: cmp.Or(entry.Path, strings.Join(paths, ", "))}
	}
	lib.known, err = bench.NewLibrary(paths, records)
	return lib, err
}

// publicLibrary makes a library of a public set's records, each read as the
// catalog reads a line of a library file.
func publicLibrary(dir string, p *bench.Public) (benchLibrary, error) {
	lib := benchLibrary{paths: []string{dir}, source: &workspace.Source{Name: p.Set.Name + " of " + dir}}
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
	lib.source.Entries, err = catalog.ReadJSONL(r, dir)
	r.Close()
	return lib, err
}

// open opens a gate on the library.
func (l *benchLibrary) open(ctx context.Context, e *env, d dirs.Dirs, s gate.Settings) (*gate.Gate, error) {
	o := e.app().Workspace(d, s)
	o.Expansions = l.expansions
	return e.app().Open(ctx, l.source, o)
}
