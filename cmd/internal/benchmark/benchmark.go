// Package benchmark runs labelled prompts through the gate and prints the measures, for
// `skillgate bench` and for the public sets of skillgate-dev.
package benchmark

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/rank"
)

// Options say how a run goes and what is printed of it.
type Options struct {
	App     *app.App
	Sets    []string // key=value, of settings and ranking weights
	Without []string // parts of the gate that are switched off
	JSON    bool
	Save    string // file for the run, "" for none
	Compare string // file with a saved run, "" for none
}

// AddFlags gives cmd the flags that fill o.
func (o *Options) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&o.Without, "without", nil, "switch off `PART`s of the gate, for ablations: families, steps")
	flags.StringArrayVar(&o.Sets, "set", nil, "`KEY=VALUE` of a setting or a ranking weight; repeatable")
	flags.BoolVar(&o.JSON, "json", false, "print the run as JSON")
	flags.StringVar(&o.Save, "save", "", "write the run with every prompt to `FILE`")
	flags.StringVar(&o.Compare, "compare", "", "saved run `FILE` to compare with")
}

const setSyntax = "want key=value, with a setting or a ranking weight as key"

// Job is one library with the sets that are asked of it.
type Job struct {
	Library Library
	Sets    []bench.Set
	K       int // candidates ranked for each prompt
}

// check leaves out the prompts for other libraries, returns how many, and fails
// on one that names an unknown skill.
func (j *Job) check() (leftOut int, err error) {
	for i := range j.Sets {
		var left int
		if j.Sets[i], left, err = j.Library.Known.Check(j.Sets[i]); err != nil {
			return 0, err
		}
		leftOut += left
	}
	return leftOut, nil
}

// Run asks the jobs, and prints, saves and compares what came of it. published are what
// others have measured on the same sets.
func Run(ctx context.Context, o *Options, jobs []Job, published bench.Published) error {
	a := o.App
	var before *bench.Report
	if o.Compare != "" {
		var err error
		if before, err = bench.ReadReport(o.Compare); err != nil {
			return fmt.Errorf("compare: %w", err)
		}
	}
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	weights, err := applySets(&settings, o.Sets)
	if err != nil {
		return err
	}
	var outcomes []bench.Outcome
	run := bench.Report{Settings: settingNames(settings, o.Sets), Published: published}
	for i := range jobs {
		job := &jobs[i]
		left, err := job.check()
		if err != nil {
			return err
		}
		run.LeftOut += left
		g, err := job.Library.open(ctx, a, d, settings)
		if err != nil {
			return err
		}
		if err := switchOff(g, o.Without); err != nil {
			return err
		}
		router := bench.OfGate(ctx, g)
		if settings.Rerank.Enabled {
			helper := a.Helper(d, settings)
			if _, err := helper.Warm(); err != nil {
				g.Close()
				return app.Hint(err, "`skillgate doctor` shows what is missing")
			}
			g.Reranker = helper.Config().Client()
			router = reranked{router, &run}
		}
		got, seconds, err := askAll(ctx, a, g, router, weights, job)
		g.Close()
		if err != nil {
			return err
		}
		outcomes = append(outcomes, got...)
		run.Seconds += seconds
		run.Skills += job.Library.Known.Len()
		run.Libraries = append(run.Libraries, job.Library.Paths...)
		run.K = max(run.K, job.K)
	}
	run.Sum(outcomes)
	if before != nil {
		run.Differences = bench.Compare(before, &run)
	}
	if o.Save != "" {
		if err := run.Save(o.Save); err != nil {
			return fmt.Errorf("save: %w", err)
		}
	}
	if o.JSON {
		run.Outcomes = nil // --save has them
		return run.Write(a.Data())
	}
	return printBench(a.Stdout, &run)
}

// reranked is a router that counts in run which of its decisions a model reranked.
type reranked struct {
	bench.Router
	run *bench.Report
}

// Decide answers one prompt.
func (r reranked) Decide(prompt string, k int) gate.Decision {
	d := r.Router.Decide(prompt, k)
	if slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool { return c.Rerank != 0 }) {
		r.run.Reranked++
	}
	for _, n := range d.Notes {
		if reason, ok := strings.CutPrefix(n, gate.RerankNote); ok {
			if r.run.NotReranked == nil {
				r.run.NotReranked = map[string]int{}
			}
			r.run.NotReranked[reason]++
		}
	}
	return d
}

// switchOff switches off parts of the gate by name.
func switchOff(g *gate.Gate, parts []string) error {
	for _, part := range parts {
		switch part {
		case "families":
			g.Off.Families = true
		case "steps":
			g.Off.Steps = true
		default:
			return fmt.Errorf("--without %q, want families or steps", part)
		}
	}
	return nil
}

// askAll runs the sets of one job and returns how long the decisions took.
func askAll(ctx context.Context, a *app.App, g *gate.Gate, router bench.Router, weights map[string]float64,
	job *Job) ([]bench.Outcome, float64, error) {
	for name, value := range weights {
		if err := g.Ranker().Weights.Set(name, value); err != nil {
			return nil, 0, fmt.Errorf("--set %w", err)
		}
	}
	total := 0
	for _, s := range job.Sets {
		total += len(s.Prompts)
	}
	how := bench.Options{K: job.K}
	bar := a.Progress("asking", false)
	defer bar.Done()
	done := 0
	how.Done = func() {
		done++
		bar.Set(done, total)
	}
	var outcomes []bench.Outcome
	start := a.Now()
	for _, s := range job.Sets {
		got, err := bench.Run(ctx, router, s, job.Library.Known, how)
		if err != nil {
			return nil, 0, err
		}
		outcomes = append(outcomes, got...)
	}
	return outcomes, a.Now().Sub(start).Seconds(), nil
}

// applySets applies --set: to settings, or, where the key is none of them, to
// the ranking weights it returns.
func applySets(settings *gate.Settings, sets []string) (map[string]float64, error) {
	weights := map[string]float64{}
	known := rank.DefaultWeights()
	for _, set := range sets {
		key, value, ok := strings.Cut(set, "=")
		if !ok {
			return nil, fmt.Errorf("--set %s: %s", set, setSyntax)
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

// settingNames is what a report says about the settings of its run.
func settingNames(s gate.Settings, sets []string) map[string]any {
	return map[string]any{"score_min": s.ScoreMin, "need_min": s.NeedMin, "top_k": s.TopK, "set": append([]string{},
		sets...)}
}
