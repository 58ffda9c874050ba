package main

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/benchmark"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/workspace"
)

type publicOptions struct {
	benchmark.Options
	Tier string // tier of SkillRouter: easy or hard

	// Folders of the sets; "" for a set that is not run.
	SkillRetBench, SkillRouter, BEIR, SRABench, SkillRet string
}

func newPublicCommand(a *app.App) *cobra.Command {
	o := &publicOptions{}
	o.App = a
	cmd := &cobra.Command{
		Use:   "public",
		Short: "Measure routing on public benchmarks",
		Long: `public gives the queries of public sets to the gate and prints the measures
next to the published results that come with a set (SkillRetBench).`,
		Example: `  skillgate-dev public --skillrouter data/eval_core --tier hard
  skillgate-dev public --beir data/scifact`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.SkillRetBench+o.SkillRouter+o.BEIR+o.SRABench+o.SkillRet == "" {
				return app.Usage("nothing to run: give --skillretbench, --skillrouter, --srabench, --skillret or --beir")
			}
			return runPublic(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.SkillRetBench, "skillretbench", "", "measure on SkillRetBench in `FOLDER`")
	flags.StringVar(&o.SkillRouter, "skillrouter", "", "measure on SkillRouter's eval-core in `FOLDER`")
	flags.StringVar(&o.Tier, "tier", "easy", "use this `TIER` of SkillRouter: easy or hard")
	flags.StringVar(&o.SRABench, "srabench", "", "measure on SRA-Bench, whose corpus and instances are in `FOLDER`")
	flags.StringVar(&o.SkillRet, "skillret", "", "measure on SkillRet, whose skills, queries and qrels are in `FOLDER`")
	flags.StringVar(&o.BEIR, "beir", "", "measure on a BEIR set in `FOLDER`")
	o.AddFlags(cmd)
	return cmd
}

func runPublic(ctx context.Context, o *publicOptions) error {
	var jobs []benchmark.Job
	var published []bench.Row
	for _, s := range []struct {
		dir  string
		load func(dir string) (*bench.Public, error)
	}{
		{o.SkillRetBench, bench.LoadSkillRetBench},
		{o.SkillRouter, func(dir string) (*bench.Public, error) { return bench.LoadSkillRouter(dir, o.Tier) }},
		{o.SRABench, bench.LoadSRABench},
		{o.SkillRet, bench.LoadSkillRet},
		{o.BEIR, bench.LoadBEIR},
	} {
		if s.dir == "" {
			continue
		}
		p, err := s.load(s.dir)
		if err != nil {
			return err
		}
		src, err := publicLibrary(s.dir, p)
		if err != nil {
			return err
		}
		published = append(published, p.Rows(benchmark.Library(src))...)
		jobs = append(jobs, benchmark.Job{Source: src, Sets: []bench.CaseSet{p.Set}})
	}
	return benchmark.Run(ctx, &o.Options, jobs, published)
}

func publicLibrary(dir string, p *bench.Public) (*workspace.Source, error) {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for _, r := range p.Records {
		if err := enc.Encode(r); err != nil {
			return nil, err
		}
	}
	p.Records = nil // to free memory
	entries, err := catalog.ReadJSONL(&lines, dir)
	return &workspace.Source{Name: p.Set.Name + " of " + dir, Entries: entries}, err
}
