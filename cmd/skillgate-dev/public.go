package main

import (
	"context"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/workspace"
)

// publicOptions are what the command line says.
type publicOptions struct {
	benchmark.Options
	SkillRetBench string // folder
	SkillRouter   string // folder
	Tier          string // of SkillRouter
	BEIR          string // folder
	K             int    // candidates ranked for each prompt
}

// skillRouterK is the deepest cutoff of SkillRouter's own measures.
const skillRouterK = 50

func newPublicCommand(a *app.App) *cobra.Command {
	o := &publicOptions{}
	o.App = a
	cmd := &cobra.Command{
		Use:   "public",
		Short: "Measure routing on public sets",
		Long: `public gives the queries of public sets to the gate and prints the measures beside
those that others have published.`,
		Example: `  skillgate-dev public --skillrouter data/eval_core --tier hard
  skillgate-dev public --beir data/scifact`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case o.K < 1:
				return app.Usage("--k %d, want at least 1", o.K)
			case o.SkillRetBench+o.SkillRouter+o.BEIR == "":
				return app.Usage("nothing to run: want --skillretbench, --skillrouter or --beir")
			}
			return runPublic(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.SkillRetBench, "skillretbench", "", "`FOLDER` of SkillRetBench")
	flags.StringVar(&o.SkillRouter, "skillrouter", "", "`FOLDER` of SkillRouter's eval-core")
	flags.StringVar(&o.Tier, "tier", "easy", "`TIER` of SkillRouter: easy or hard")
	flags.StringVar(&o.BEIR, "beir", "", "`FOLDER` of a BEIR set")
	flags.IntVar(&o.K, "k", bench.DefaultK, "rank `N` candidates for each query")
	o.AddFlags(cmd)
	return cmd
}

// runPublic loads the sets and measures.
func runPublic(ctx context.Context, o *publicOptions) error {
	var jobs []benchmark.Job
	var published bench.Published
	for _, s := range []struct {
		dir  string
		k    int
		load func() (*bench.Public, error)
	}{
		{o.SkillRetBench, o.K, func() (*bench.Public, error) { return bench.LoadSkillRetBench(o.SkillRetBench) }},
		{o.SkillRouter, max(o.K, skillRouterK), func() (*bench.Public, error) {
			return bench.LoadSkillRouter(o.SkillRouter, o.Tier)
		}},
		{o.BEIR, o.K, func() (*bench.Public, error) { return bench.LoadBEIR(o.BEIR) }},
	} {
		if s.dir == "" {
			continue
		}
		p, err := s.load()
		if err != nil {
			return err
		}
		if p.Published != nil {
			published = p.Published
		}
		library, err := publicLibrary(s.dir, p)
		if err != nil {
			return err
		}
		jobs = append(jobs, benchmark.Job{Library: library, Sets: []bench.Set{p.Set}, K: s.k})
	}
	return benchmark.Run(ctx, &o.Options, jobs, published)
}

// publicLibrary makes a library of a public set's records, each read as the
// catalog reads a line of a library file.
func publicLibrary(dir string, p *bench.Public) (benchmark.Library, error) {
	lib := benchmark.Library{Paths: []string{dir}, Source: &workspace.Source{Name: p.Set.Name + " of " + dir}}
	var err error
	if lib.Known, err = bench.NewLibrary([]string{dir}, p.Records); err != nil {
		return lib, err
	}
	r, w := io.Pipe()
	go func() {
		enc := json.NewEncoder(w)
		for i := range p.Records {
			record := &p.Records[i]
			line := map[string]string{"id": record.ID, "name": record.Name, "description": record.Description,
				"body": record.Body}
			if err := enc.Encode(line); err != nil {
				w.CloseWithError(err)
				return
			}
			record.Body = "" // the entry has it now
		}
		w.Close()
	}()
	lib.Source.Entries, err = catalog.ReadJSONL(r, dir)
	r.Close()
	return lib, err
}
