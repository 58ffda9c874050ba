package replay

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/replay"
)

// Options are the flags of replay.
type Options struct {
	filter  logged.Filter
	from    string
	join    bool // add what transcripts tell
	change  sideFlags
	configs []string
	against string

	exact      bool
	misses     int
	tune       string
	gold       string
	json       bool
	limit      int
	maxChanged string
	guard      []string
}

func New(a *app.App) *cobra.Command {
	var f Options
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Run past prompts through changed settings, words or skills, and show what changes",
		Long: `replay decides past prompts again and shows which decisions change and why. Without
a change it compares what was decided with what would be decided now; with one
(--set, --library, --with-skill, --without-skill, --synonyms, --config) it compares
this machine as it is with the change. Two --config files are compared with each other.

Prompts come from the journal, or from --from: a file of "skillgate log export", a
transcript or a folder of them ("transcripts" stands for the host's own), or a gold
file. Of prompts that were logged as terms only the terms are replayed; hashes are
counted.

What came of a prompt is known only where a use was reported: unknown is not a no.
Uses followed what was shown at the time, so that a change can be measured only by
what the model did without its hint.

Exit status 1: more than --max-changed change, a measure of --guard falls, or with
--exact a decision is not reproduced. Nothing that was logged is modified.`,
		Example: `  skillgate replay                                  since the log was written
  skillgate replay --set need_min=0.6 --since 14d
  skillgate replay --with-skill ./skills/pdf --guard caught --max-changed 5%
  skillgate replay --from transcripts --set top_k=3
  skillgate replay --misses 5                       skills that were used and not named
  skillgate replay --tune score_min,need_min,top_k
  skillgate replay --gold gold.jsonl && skillgate replay --from gold.jsonl --set top_k=3
  skillgate replay --exact                          does the log reproduce to the last bit?`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return Run(cmd.Context(), a, f) },
	}
	f.filter.Add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.from, "from", "", "`PATH` of an export, a transcript, a folder of transcripts or a gold file, or \"transcripts\" (default: the journal)")
	fs.BoolVar(&f.join, "with-transcripts", false, "add uses that the host's transcripts tell of and the log does not: hooks that still run when the host exits are ended")
	fs.StringArrayVar(&f.change.sets, "set", nil, "change a setting, `KEY=VALUE`; may be repeated")
	fs.StringArrayVar(&f.configs, "config", nil, "settings `FILE`; twice to compare two")
	fs.StringArrayVar(&f.change.libraries, "library", nil, "search this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	fs.StringArrayVar(&f.change.without, "without-skill", nil, "leave out the skill `NAME`; may be repeated")
	fs.StringArrayVar(&f.change.with, "with-skill", nil, "add the skill in `DIR`, or put it in the place of the one of its name; may be repeated")
	fs.StringVar(&f.change.synonyms, "synonyms", "", "use `FILE` as your synonyms.yaml")
	fs.StringVar(&f.against, "against", "", "compare a change with `WHAT`: current or recorded")
	fs.BoolVar(&f.exact, "exact", false, "decide again over the index generations that were read, and compare every bit")
	fs.IntVar(&f.misses, "misses", 0, "list skills that were used and not named, with a trigger that would have caught them; try the first `N`")
	fs.StringVar(&f.tune, "tune", "", "propose thresholds from this log: `KEYS` of score_min,need_min,top_k")
	fs.StringVar(&f.gold, "gold", "", "write confirmed uses as a gold file to a new `FILE`")
	fs.BoolVar(&f.json, "json", false, "print JSON")
	fs.IntVar(&f.limit, "limit", 20, "show `N` changed prompts, 0 for all")
	fs.StringVar(&f.maxChanged, "max-changed", "", "exit with status 1 when more than `N` prompts or N% change")
	fs.StringSliceVar(&f.guard, "guard", nil, "exit with status 1 when this `MEASURE` gets worse: "+strings.Join(measureNames(), ", "))
	return cmd
}

func measureNames() []string {
	var out []string
	for _, m := range replay.Measures {
		out = append(out, m.Name)
	}
	return out
}

// check refuses flags that do not go together.
func (f *Options) check() error {
	wrong := func(format string, args ...any) error { return app.Fail("", format, args...) }
	modes := 0
	for _, on := range []bool{f.exact, f.misses > 0, f.tune != "", f.gold != ""} {
		if on {
			modes++
		}
	}
	changed := !f.change.empty() || len(f.configs) > 0
	switch {
	case modes > 1:
		return wrong("--exact, --misses, --tune and --gold: want one of them")
	case len(f.configs) > 2:
		return wrong("--config stands %d times, want at most 2", len(f.configs))
	case len(f.configs) == 2 && !f.change.empty():
		return wrong("two --config files are compared with each other: no other change is possible")
	case f.against == "recorded" && len(f.configs) == 2:
		return wrong("--against recorded with two --config files")
	case f.exact && changed:
		return wrong("--exact with a change of settings or skills: it decides as it was decided")
	case (modes > 0) && (f.maxChanged != "" || len(f.guard) > 0):
		return wrong("--max-changed and --guard go with a comparison")
	case f.limit < 0 || f.misses < 0:
		return wrong("--limit is %d and --misses %d, want 0 or more", f.limit, f.misses)
	}
	if _, _, err := f.allowed(); err != nil {
		return err
	}
	for _, g := range f.guard {
		if err := app.OneOf("guard", g, measureNames()); err != nil {
			return err
		}
	}
	for _, key := range f.keys() {
		if err := app.OneOf("tune", key, []string{"score_min", "need_min", "top_k"}); err != nil {
			return err
		}
	}
	return app.OneOf("against", f.against, []string{"current", "recorded"})
}

func (f *Options) keys() []string {
	if f.tune == "" {
		return nil
	}
	return strings.Split(f.tune, ",")
}

// allowed reads --max-changed: a share, or a number of prompts; -1 for no limit.
func (f *Options) allowed() (share float64, prompts int, err error) {
	if f.maxChanged == "" {
		return -1, -1, nil
	}
	wrong := app.Fail("", "--max-changed is %q, want a number of prompts or a percentage (5%%)", f.maxChanged)
	if text, ok := strings.CutSuffix(f.maxChanged, "%"); ok {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v < 0 || v > 100 {
			return 0, 0, wrong
		}
		return v / 100, -1, nil
	}
	n, err := strconv.Atoi(f.maxChanged)
	if err != nil || n < 0 {
		return 0, 0, wrong
	}
	return -1, n, nil
}

// candidatesListed is how many candidates each side lists: enough to say what
// became of a skill that is no longer named.
const candidatesListed = 10

func Run(ctx context.Context, a *app.App, f Options) error {
	if err := f.check(); err != nil {
		return err
	}
	d, err := a.Places()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "skillgate-replay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	m := &sideMaker{app: a, dirs: d, tmp: tmp}
	src, err := openSource(ctx, a, m, &f)
	if err != nil {
		return err
	}
	defer src.close()
	switch {
	case f.exact:
		err = exact(ctx, a, m, src, &f)
	case f.misses > 0:
		err = findMisses(ctx, a, m, src, &f)
	case f.tune != "":
		err = proposeThresholds(ctx, a, m, src, &f)
	case f.gold != "":
		err = writeGold(ctx, a, m, src, &f)
	default:
		err = compare(ctx, a, m, src, &f)
	}
	return logged.Error(err, d.State)
}

// sides makes the two sides that the flags ask for. Sources without logged
// decisions are compared with this machine as it is.
func (m *sideMaker) sides(ctx context.Context, src *prompts, f *Options) (a, b *replay.Side, err error) {
	change := f.change
	if len(f.configs) == 2 {
		if a, err = m.side(ctx, &sideFlags{config: f.configs[0]}, candidatesListed); err != nil {
			return nil, nil, err
		}
		b, err = m.side(ctx, &sideFlags{config: f.configs[1]}, candidatesListed)
		return a, b, err
	}
	if len(f.configs) == 1 {
		change.config = f.configs[0]
	}
	if b, err = m.side(ctx, &change, candidatesListed); err != nil {
		return nil, nil, err
	}
	if f.against == "recorded" || f.against == "" && change.empty() && src.logged {
		return &replay.Side{Name: "recorded", Logged: true}, b, nil
	}
	a, err = m.side(ctx, &sideFlags{}, candidatesListed)
	return a, b, err
}

// changedPrompt is a changed decision as --json prints it.
type changedPrompt struct {
	ID     string        `json:"id"`
	Time   string        `json:"time,omitempty"`
	Prompt string        `json:"prompt"`
	Lang   string        `json:"lang"`
	Form   replay.Form   `json:"form"`
	Change replay.Change `json:"change"`
	Cause  string        `json:"cause"`
	A      answerJSON    `json:"a"`
	B      answerJSON    `json:"b"`
	Used   []string      `json:"used,omitempty"` // by the model, in the same turn
}

type answerJSON struct {
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason,omitempty"`
	Need    float64  `json:"need"`
	Named   []string `json:"named"`
	Best    string   `json:"best,omitempty"` // candidate, where nothing is named
	Score   float64  `json:"score"`          // of the first candidate
}

func answerOf(a replay.Answer) answerJSON {
	d := a.Decision
	out := answerJSON{Verdict: string(d.Verdict), Reason: string(d.Reason), Need: d.Need, Named: []string{}}
	for _, c := range d.Candidates {
		if c.Injected {
			out.Named = append(out.Named, c.Name)
		}
	}
	if len(d.Candidates) > 0 {
		out.Score = d.Candidates[0].Score
		if len(out.Named) == 0 {
			out.Best = d.Candidates[0].Name
		}
	}
	return out
}

func changedOf(r *replay.Result) changedPrompt {
	p := r.Prompt
	c := changedPrompt{ID: p.ID, Prompt: p.Text, Lang: p.Lang, Form: p.Form(), Change: r.Change, Cause: r.Cause, A: answerOf(r.A), B: answerOf(r.B)}
	if p.Text == "" {
		c.Prompt = "[terms] " + strings.Join(p.Terms, " ")
	}
	if !p.Time.IsZero() {
		c.Time = p.Time.Format("2006-01-02T15:04:05Z")
	}
	for _, u := range p.Uses {
		if u.Success {
			c.Used = append(c.Used, u.Skill)
		}
	}
	return c
}

// report is what replay --json prints.
type report struct {
	*replay.Summary
	Listed  []changedPrompt `json:"listed"` // changed prompts, at most --limit
	Failed  []string        `json:"failed"` // why the exit status is 1
	Skipped int             `json:"-"`
}

func compare(ctx context.Context, e *app.App, m *sideMaker, src *prompts, f *Options) error {
	a, b, err := m.sides(ctx, src, f)
	if err != nil {
		return err
	}
	report, err := runCompare(ctx, e, m, src, a, b, f.limit)
	if err != nil {
		return err
	}
	share, prompts, _ := f.allowed() // checked before
	changed := report.Compared - report.Changes[replay.Unchanged]
	if share >= 0 && report.Summary.Changed > share || prompts >= 0 && changed > prompts {
		report.Failed = append(report.Failed, fmt.Sprintf("%d of %d prompts change, --max-changed allows %s", changed, report.Compared, f.maxChanged))
	}
	for _, name := range f.guard {
		if text := report.worse(name); text != "" {
			report.Failed = append(report.Failed, text)
		}
	}
	if f.json {
		err = e.PrintJSON(report)
	} else {
		err = printReport(e, report)
	}
	if err == nil && len(report.Failed) > 0 {
		return app.ErrFindings
	}
	return err
}

// worse says by how much a guarded measure fell, "" where it did not. A measure
// that cannot be computed cannot guard: that is a failure too.
func (r *report) worse(name string) string {
	c := r.Measure(name)
	if c == nil || c.Delta == nil {
		return fmt.Sprintf("--guard %s: no prompt to measure it by", name)
	}
	down := slices.ContainsFunc(replay.Measures, func(m replay.Measure) bool { return m.Name == name && m.Down })
	if down && c.Delta.Value > 0 || !down && c.Delta.Value < 0 {
		return fmt.Sprintf("%s gets worse: %s → %s (difference %+.1f points, 95 %% interval %+.1f to %+.1f, %d prompts)",
			name, app.Percent(c.A.Value), app.Percent(c.B.Value), 100*c.Delta.Value, 100*c.Delta.Low, 100*c.Delta.High, c.Delta.N)
	}
	return ""
}

// runCompare compares two sides over a source.
func runCompare(ctx context.Context, e *app.App, m *sideMaker, src *prompts, a, b *replay.Side, limit int) (*report, error) {
	notes := &replay.Notes{}
	job := replay.Job{Source: src.source, Filter: src.filter, A: a, B: b, Notes: notes}
	bar := e.Progress("replaying", src.ownBar)
	job.Progress = func(done int) { bar.Set(done, max(done, src.total)) }
	report := &report{Summary: replay.NewSummary(job), Listed: []changedPrompt{}, Failed: []string{}}
	err := replay.Run(ctx, job, func(r *replay.Result) error {
		if !src.chosen(r) {
			return nil
		}
		if report.Add(r) && r.Change != replay.Unchanged {
			if limit > 0 && len(report.Listed) == limit {
				report.Skipped++
				return nil
			}
			report.Listed = append(report.Listed, changedOf(r))
		}
		return nil
	})
	bar.Done()
	if err != nil {
		return nil, err
	}
	if b.Settings.Rerank.Enabled {
		m.note("the reranker has no say in a replay")
	}
	report.Finish(notes)
	for _, n := range m.notes {
		report.Problems = append(report.Problems, n)
		report.Partial = true
	}
	if report.Prompts == 0 {
		return nil, app.Fail("the filters may leave none; `skillgate log` shows what was logged", "no prompt to replay")
	}
	return report, nil
}
