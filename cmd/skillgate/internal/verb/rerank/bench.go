package rerank

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/plural"
)

func newBench(a *app.App) *cobra.Command {
	var f benchOptions
	cmd := &cobra.Command{
		Use:   "bench --gold FILE",
		Short: "Measure whether reranking helps on your prompts and skills",
		Long: `bench answers labelled prompts with and without the reranker and says whether
to turn it on. FILE has one JSON object a line,
{"id","query","gold":["<skill id>"]}, as ` + "`skillgate bench`" + ` reads it;
` + "`skillgate query --json`" + ` shows the ids of your skills.

The skills are the installed ones, or those of --library: folders of skills, or
.jsonl and .jsonl.gz files with id, name, description, frontmatter and body.

Turn it on only where hit@1 gets better by more than chance explains: the last line
says so, and --json has it as turn_on.`,
		Example: `  skillgate rerank bench --gold prompts.jsonl
  skillgate rerank bench --gold prompts.jsonl --library ~/skills --library more.jsonl.gz
  skillgate rerank bench --gold prompts.jsonl --json | jq .turn_on`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBench(cmd.Context(), a, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Gold, "gold", "", "`FILE` of labelled prompts")
	flags.StringArrayVar(&f.Libraries, "library", nil,
		"search this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	flags.BoolVar(&f.json, "json", false, "print as JSON")
	_ = cmd.MarkFlagRequired("gold") // the flag exists
	return cmd
}

type benchOptions struct {
	Gold      string
	Libraries []string
	json      bool
}

// report is what rerank bench prints.
type report struct {
	Model    string             `json:"model"`
	Prompts  int                `json:"prompts"`
	Reranked int                `json:"reranked"`
	Without  map[string]int     `json:"not_reranked,omitempty"` // why, and how often
	Measures []bench.Difference `json:"measures"`
	Ms       timing             `json:"ms"`
	Advice   string             `json:"advice"`
	TurnOn   bool               `json:"turn_on"`
}

// timing are milliseconds a prompt.
type timing struct {
	Plain    quantiles `json:"plain"`
	Reranked quantiles `json:"reranked"`
}

type quantiles struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

func runBench(ctx context.Context, a *app.App, f benchOptions) error {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	set, err := bench.ReadPromptFile(f.Gold)
	if err != nil {
		return app.Usage("%w", err)
	}
	g, known, err := openLibrary(ctx, a, d, s, f.Libraries)
	if err != nil {
		return err
	}
	defer g.Close()
	if set, _, err = known.Check(set); err != nil {
		return app.Hint(err, "`skillgate query --json` shows the ids of skills; --library names another library")
	}
	s.Rerank.Enabled = true
	st, err := a.Helper(d, s).Warm()
	if err != nil {
		return app.Hint(err, rerankHint)
	}
	r := report{Model: st.Model, Prompts: len(set.Prompts), Without: map[string]int{}}
	run := func(router bench.Router) (bench.Report, error) {
		outcomes, err := bench.Run(ctx, router, set, nil, bench.Options{K: bench.DefaultK})
		report := bench.Report{K: bench.DefaultK}
		report.Sum(outcomes)
		return report, err
	}
	g.Settings.Rerank.Enabled = false
	plain, err := run(bench.OfGate(ctx, g))
	if err != nil {
		return err
	}
	g.Settings.Rerank = s.Rerank
	g.Reranker = a.Helper(d, s).Config().Client()
	counted := &countingRouter{Router: bench.OfGate(ctx, g), report: &r}
	reranked, err := run(counted)
	if err != nil {
		return err
	}
	for _, diff := range bench.Compare(&plain, &reranked) {
		if slices.Contains([]string{"hit@1", "MRR", "MRR@10", "HSR@5"}, diff.Measure) {
			r.Measures = append(r.Measures, diff)
		}
	}
	r.Ms = timing{milliseconds(plain.Outcomes), milliseconds(reranked.Outcomes)}
	r.judge()
	if f.json {
		return a.PrintJSON(r)
	}
	return r.print(a.Stdout)
}

// countingRouter counts which decisions were reranked.
type countingRouter struct {
	bench.Router
	report *report
}

// Decide answers one prompt.
func (r *countingRouter) Decide(prompt string, k int) gate.Decision {
	d := r.Router.Decide(prompt, k)
	if slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool { return c.Rerank != 0 }) {
		r.report.Reranked++
	}
	for _, n := range d.Notes {
		if reason, ok := strings.CutPrefix(n, gate.RerankNote); ok {
			r.report.Without[reason]++
		}
	}
	return d
}

func milliseconds(outcomes []bench.Outcome) quantiles {
	var ms []float64
	for _, o := range outcomes {
		ms = append(ms, o.Ms)
	}
	if len(ms) == 0 {
		return quantiles{}
	}
	slices.Sort(ms)
	return quantiles{ms[len(ms)/2], ms[min(len(ms)-1, len(ms)*95/100)]}
}

// judge says whether to turn reranking on: hit@1 must be better by more than
// chance explains, and no other measure worse by more than that.
func (r *report) judge() {
	better := false
	for _, d := range r.Measures {
		up, down := d.Low > 0, d.High < 0
		if d.Measure == "HSR@5" { // lower is better
			up, down = down, up
		}
		if down {
			r.Advice = fmt.Sprintf("leave it off: %s gets worse", d.Measure)
			return
		}
		better = better || up && d.Measure == "hit@1"
	}
	switch {
	case r.Reranked*10 < r.Prompts:
		r.Advice = "leave it off: it had no time for most prompts; see not reranked"
	case better:
		r.TurnOn, r.Advice = true, "turn it on: rerank.enabled: true"
	default:
		r.Advice = "leave it off: hit@1 is not better by more than chance explains"
	}
}

func (r *report) print(w io.Writer) error {
	fmt.Fprintf(w, "%s on %s, %d reranked\n", r.Model, plural.Of(r.Prompts, "prompt"), r.Reranked)
	for _, reason := range slices.Sorted(maps.Keys(r.Without)) {
		fmt.Fprintf(w, "not reranked, %s: %s\n", plural.Of(r.Without[reason], "time"), reason)
	}
	t := app.NewTable("task", "measure", "prompts", "plain", "reranked", "difference", "95 % interval")
	for _, d := range r.Measures {
		t.AppendRow(table.Row{d.Task, d.Measure, d.N, fmt.Sprintf("%.3f", d.Before), fmt.Sprintf("%.3f", d.After),
			fmt.Sprintf("%+.3f", d.Delta), fmt.Sprintf("%+.3f to %+.3f", d.Low, d.High)})
	}
	if err := app.WriteTable(w, t); err != nil {
		return err
	}
	fmt.Fprintf(w, "milliseconds, median and 95th percentile: plain %.1f %.1f, reranked %.1f %.1f\n",
		r.Ms.Plain.Median, r.Ms.Plain.P95, r.Ms.Reranked.Median, r.Ms.Reranked.P95)
	_, err := fmt.Fprintln(w, r.Advice)
	return err
}
