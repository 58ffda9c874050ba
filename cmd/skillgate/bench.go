package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

// benchFlags are what `bench` was asked for.
type benchFlags struct {
	libraries     []string
	prompts       []string
	only          string
	skillRetBench string
	skillRouter   string
	tier          string
	beir          string
	enrichment    string
	k             int
	sets          []string
	without       []string
	json          bool
	perPrompt     bool
	save          string
	compare       string
}

const (
	benchK         = 20  // the deepest cutoff of the measures of our own prompts
	skillRouterK   = 50  // that of SkillRouter
	benchDeep      = 500 // how far --per-prompt looks for what is missing
	benchSetSyntax = "want key=value, with a setting or a ranking weight as key"
)

func newBenchCommand(e *env) *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure routing on labelled prompts",
		Long: `bench gives labelled prompts to the gate, as the hook would, in one process and
without a session, and prints how often the right skills come first and how often
nothing is named where nothing should be. Settings are the defaults with --set on
top, so that a figure does not depend on whose machine it was made on.

A rate comes with its standard error. --compare adds 95 % intervals of the
differences from a saved run, by paired bootstrap.`,
		Example: `  skillgate bench --library library.jsonl.gz --prompts prompts.jsonl
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --save before.json
  skillgate bench --library ~/.claude/skills --prompts prompts.jsonl --set score_min=7 --compare before.json
  skillgate bench --skillrouter data/eval_core --tier hard`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBench(cmd.Context(), e, f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.libraries, "library", nil, "folder of skills, or a .jsonl or .jsonl.gz `FILE`; repeat to search several as one")
	flags.StringArrayVar(&f.prompts, "prompts", nil, "JSON Lines `FILE` of labelled prompts; repeat for several")
	flags.StringVar(&f.only, "only", "", "search only the skills whose id starts with `PREFIX`")
	flags.StringVar(&f.skillRetBench, "skillretbench", "", "`FOLDER` of SkillRetBench")
	flags.StringVar(&f.skillRouter, "skillrouter", "", "`FOLDER` of SkillRouter's eval-core")
	flags.StringVar(&f.tier, "tier", "easy", "`TIER` of SkillRouter: easy or hard")
	flags.StringVar(&f.beir, "beir", "", "`FOLDER` of a BEIR set")
	flags.StringVar(&f.enrichment, "enrichment", "", "`FILE` of expansions to index with the libraries")
	flags.IntVar(&f.k, "k", benchK, "rank `N` candidates for each prompt")
	flags.StringSliceVar(&f.without, "without", nil, "switch off `PART`s of the gate, for ablations: families, steps, negation")
	flags.StringArrayVar(&f.sets, "set", nil, "`KEY=VALUE` of a setting or a ranking weight; repeatable")
	flags.BoolVar(&f.json, "json", false, "print the run as JSON; with --per-prompt, every prompt")
	flags.BoolVar(&f.perPrompt, "per-prompt", false, "print the places of the labelled skills for every prompt, and why it was missed")
	flags.StringVar(&f.save, "save", "", "write the run with every prompt to `FILE`")
	flags.StringVar(&f.compare, "compare", "", "saved run `FILE` to compare with")
	cmd.AddCommand(newBenchDiffCommand(e))
	return cmd
}

func newBenchDiffCommand(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff BEFORE.json AFTER.json",
		Short: "List the prompts that two saved runs treat differently",
		Example: `  skillgate bench --library ./skills --prompts prompts.jsonl --save before.json
  skillgate bench --library ./skills --prompts prompts.jsonl --save after.json
  skillgate bench diff before.json after.json`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			before, err := bench.ReadReport(args[0])
			if err != nil {
				return err
			}
			after, err := bench.ReadReport(args[1])
			if err != nil {
				return err
			}
			d := bench.DiffReports(before, after)
			if asJSON {
				return d.Write(e.stdout)
			}
			return printDiff(e.stdout, d)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

// benchJob is one library with the sets that are asked of it.
type benchJob struct {
	library benchLibrary
	sets    []bench.Set
	k       int
}

// check leaves out the prompts for other libraries, returns how many, and fails
// on one that names an unknown skill.
func (j *benchJob) check() (leftOut int, err error) {
	for i := range j.sets {
		var left int
		if j.sets[i], left, err = j.library.known.Check(j.sets[i]); err != nil {
			return 0, err
		}
		leftOut += left
	}
	return leftOut, nil
}

func runBench(ctx context.Context, e *env, f benchFlags) error {
	if f.k < 1 {
		return fmt.Errorf("--k %d, want at least 1", f.k)
	}
	var before *bench.Report
	if f.compare != "" {
		var err error
		if before, err = bench.ReadReport(f.compare); err != nil {
			return fmt.Errorf("compare: %w", err)
		}
	}
	d, settings, err := e.placesAndSettings()
	if err != nil {
		return err
	}
	weights, err := applySets(&settings, f.sets)
	if err != nil {
		return err
	}
	jobs, published, err := benchJobs(ctx, e, f)
	if err != nil {
		return err
	}
	var outcomes []bench.Outcome
	run := bench.Report{Settings: benchSettingNames(settings, f.sets), Published: published}
	for i := range jobs {
		job := &jobs[i]
		left, err := job.check()
		if err != nil {
			return err
		}
		run.LeftOut += left
		g, err := job.library.open(ctx, e, d, settings)
		if err != nil {
			return err
		}
		if err := switchOff(g, f.without); err != nil {
			return err
		}
		got, seconds, err := askAll(ctx, e, g, weights, job, f.perPrompt)
		if err := errors.Join(err, g.Close()); err != nil {
			return err
		}
		outcomes = append(outcomes, got...)
		run.Seconds += seconds
		run.Skills += job.library.known.Len()
		run.Libraries = append(run.Libraries, job.library.paths...)
		run.K = max(run.K, job.k)
	}
	run.Sum(outcomes)
	if before != nil {
		run.Differences = bench.Compare(before, &run)
	}
	if f.save != "" {
		if err := run.Save(f.save); err != nil {
			return fmt.Errorf("save: %w", err)
		}
	}
	if f.json {
		if !f.perPrompt {
			run.Outcomes = nil
		}
		return run.Write(e.stdout)
	}
	return printBench(e.stdout, &run, f.perPrompt)
}

// switchOff switches off parts of the gate by name.
func switchOff(g *gate.Gate, parts []string) error {
	for _, part := range parts {
		switch part {
		case "families":
			g.Off.Families = true
		case "steps":
			g.Off.Steps = true
		case "negation":
			g.Off.Negation = true
		default:
			return fmt.Errorf("--without %q, want families, steps or negation", part)
		}
	}
	return nil
}

// askAll runs the sets of one job and returns how long the decisions took.
func askAll(ctx context.Context, e *env, g *gate.Gate, weights map[string]float64, job *benchJob, perPrompt bool) ([]bench.Outcome, float64, error) {
	for name, value := range weights {
		if err := g.Ranker().Weights.Set(name, value); err != nil {
			return nil, 0, fmt.Errorf("--set %w", err)
		}
	}
	total := 0
	for _, s := range job.sets {
		total += len(s.Prompts)
	}
	o := bench.Options{K: job.k}
	if perPrompt {
		o.Deep = benchDeep
	}
	bar := e.progress("asking", false)
	defer bar.done()
	done := 0
	o.Done = func() {
		done++
		bar.set(done, total)
	}
	var outcomes []bench.Outcome
	start := e.now()
	for _, s := range job.sets {
		got, err := bench.Run(ctx, gateRouter{ctx, g}, s, job.library.known, o)
		if err != nil {
			return nil, 0, err
		}
		outcomes = append(outcomes, got...)
	}
	return outcomes, e.now().Sub(start).Seconds(), nil
}

// gateRouter answers prompts as the hook does, without a session or a deadline.
type gateRouter struct {
	ctx  context.Context
	gate *gate.Gate
}

func (r gateRouter) Decide(prompt string, k int) gate.Decision {
	return r.gate.Decide(r.ctx, gate.Request{Prompt: triage.Classify(secret.Redact(prompt)), K: k})
}

// benchJobs reads the libraries and prompts that the flags name.
func benchJobs(ctx context.Context, e *env, f benchFlags) ([]benchJob, bench.Published, error) {
	var jobs []benchJob
	var published bench.Published
	switch {
	case len(f.prompts) > 0 && len(f.libraries) == 0:
		return nil, nil, errors.New("--prompts without a --library to search")
	case len(f.prompts) == 0 && len(f.libraries) > 0:
		return nil, nil, errors.New("--library without --prompts")
	case len(f.prompts) > 0:
		job := benchJob{k: f.k}
		for _, file := range f.prompts {
			set, err := bench.ReadPromptFile(file)
			if err != nil {
				return nil, nil, err
			}
			job.sets = append(job.sets, set)
		}
		if err := distinctSets(job.sets); err != nil {
			return nil, nil, err
		}
		library, err := readBenchLibrary(ctx, e, f.libraries, f.only)
		if err != nil {
			return nil, nil, err
		}
		if library.expansions, err = readEnrichment(f.enrichment); err != nil {
			return nil, nil, err
		}
		job.library = library
		jobs = append(jobs, job)
	}
	public := func(dir string, k int, load func() (*bench.Public, error)) error {
		if dir == "" {
			return nil
		}
		p, err := load()
		if err != nil {
			return err
		}
		if p.Published != nil {
			published = p.Published
		}
		library, err := publicLibrary(dir, p)
		if err != nil {
			return err
		}
		jobs = append(jobs, benchJob{library: library, sets: []bench.Set{p.Set}, k: k})
		return nil
	}
	err := errors.Join(
		public(f.skillRetBench, f.k, func() (*bench.Public, error) { return bench.LoadSkillRetBench(f.skillRetBench) }),
		public(f.skillRouter, max(f.k, skillRouterK), func() (*bench.Public, error) { return bench.LoadSkillRouter(f.skillRouter, f.tier) }),
		public(f.beir, f.k, func() (*bench.Public, error) { return bench.LoadBEIR(f.beir) }),
	)
	if err != nil {
		return nil, nil, err
	}
	if len(jobs) == 0 {
		return nil, nil, errors.New("nothing to run: want --library and --prompts, or --skillretbench, --skillrouter or --beir")
	}
	return jobs, published, nil
}

// distinctSets refuses two prompt files of one name, whose figures would mix.
func distinctSets(sets []bench.Set) error {
	seen := map[string]bool{}
	for _, s := range sets {
		if seen[s.Name] {
			return fmt.Errorf("two --prompts files are named %s", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// applySets applies --set: to settings, or, where the key is none of them, to
// the ranking weights it returns.
func applySets(settings *gate.Settings, sets []string) (map[string]float64, error) {
	weights := map[string]float64{}
	known := rank.DefaultWeights()
	for _, set := range sets {
		key, value, ok := strings.Cut(set, "=")
		if !ok {
			return nil, fmt.Errorf("--set %s: %s", set, benchSetSyntax)
		}
		err := settings.Set(key, value)
		if err == nil {
			continue
		}
		if _, _, _, ok := known.Get(key); !ok {
			return nil, fmt.Errorf("--set %s: %w", set, err)
		}
		if weights[key], err = strconv.ParseFloat(value, 64); err != nil {
			return nil, fmt.Errorf("--set %s: %q is not a number", key, value)
		}
		if err := known.Set(key, weights[key]); err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
	}
	return weights, nil
}

// benchSettingNames is what a report says about the settings of its run.
func benchSettingNames(s gate.Settings, sets []string) map[string]any {
	return map[string]any{"score_min": s.ScoreMin, "need_min": s.NeedMin, "top_k": s.TopK, "set": append([]string{}, sets...)}
}
