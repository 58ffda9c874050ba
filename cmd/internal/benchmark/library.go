package benchmark

import (
	"cmp"
	"context"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/workspace"
)

// Library is what one job searches.
type Library struct {
	Paths      []string
	Source     *workspace.Source
	Known      *bench.Library
	Expansions []enrich.Expansion
}

// ReadLibrary reads folders and library files as one library, of the skills
// whose id starts with only.
func ReadLibrary(ctx context.Context, a *app.App, paths []string, only string) (Library, error) {
	lib := Library{Paths: paths, Source: &workspace.Source{Cwd: a.Cwd, Libraries: paths, Prefix: only}}
	entries, err := lib.Source.Read(ctx)
	if err != nil {
		return lib, err
	}
	records := make([]bench.Record, len(entries))
	for i := range entries {
		entry := &entries[i]
		records[i] = bench.Record{ID: entry.ID, Body: entry.Body, At: cmp.Or(entry.Path, strings.Join(paths, ", "))}
	}
	lib.Known, err = bench.NewLibrary(paths, records)
	return lib, err
}

// open opens a gate on the library.
func (l *Library) open(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings) (*gate.Gate, error) {
	l.Source.WithFiles = s.Rerank.Enabled // a model reads a passage of the file
	o := a.Workspace(d, s)
	o.Expansions = l.Expansions
	return workspace.Open(ctx, l.Source, o)
}
