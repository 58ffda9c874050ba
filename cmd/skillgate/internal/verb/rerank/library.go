package rerank

import (
	"context"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/workspace"
)

// openLibrary returns a gate over the libraries at paths, or over the installed
// skills where there are none. Its candidates all have a file: the passage that a model
// reads comes from it. known are its skills.
func openLibrary(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings,
	paths []string) (g *gate.Gate, known *bench.Library, err error) {
	src := &workspace.Source{Cwd: a.Cwd, Libraries: paths, WithFiles: true}
	if g, err = workspace.Open(ctx, src, a.Workspace(d, s)); err != nil {
		return nil, nil, err
	}
	var records []bench.Record
	seen := map[string]bool{} // a project may hold what the user has
	g.Docs(func(doc index.Doc) bool {
		if len(paths) > 0 || !seen[doc.ID] {
			seen[doc.ID] = true
			records = append(records, bench.Record{ID: doc.ID, At: doc.Path})
		}
		return true
	})
	names := paths
	if len(names) == 0 {
		names = []string{"installed"}
	}
	if known, err = bench.NewLibrary(names, records); err != nil {
		g.Close()
		return nil, nil, err
	}
	return g, known, nil
}
