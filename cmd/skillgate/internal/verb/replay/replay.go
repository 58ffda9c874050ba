// Package replay implements the replay command, which repeats the decisions on past prompts.
package replay

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/replay/lab"
)

// Options holds the flags of the command.
type Options struct {
	App    *app.App
	JSON   bool
	filter logged.Filter
	from   string
	change lab.Change
}

func New(a *app.App) *cobra.Command {
	o := &Options{App: a}
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Replay past prompts with other settings, synonyms or skills, and compare the decisions",
		Long: `replay repeats the decisions on past prompts and shows which of them change and why.
Without a change it compares the logged decisions with what would be decided
now. With a change (--set, --library, --with-skill, --synonyms) it compares
decisions with and without that change.

Prompts come from the log or from --from: a file written by "skillgate log export",
a transcript, a folder of transcripts, or "transcripts" for those of Claude Code. A
prompt that was logged as terms is replayed from its terms; one logged as a hash is
only counted.

An outcome is known only if the use of a skill was reported; an unknown outcome does
not mean that no skill was used. Which skill the model used depends on the suggestions
that it saw; it never saw those that a change would make.

The log is not modified. To fail on too many changes, use jq as in the last
example.`,
		Example: `  skillgate replay                                  changes since the log was written
  skillgate replay --set need_min=0.6 --since 14d
  skillgate replay --with-skill ./skills/pdf
  skillgate replay --from transcripts --set top_k=3
  skillgate replay --with-skill ./skills/pdf --json | jq -e '.changed < 0.05'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.work(cmd.Context())
		},
	}
	o.filter.Add(cmd)
	o.filter.AddSkill(cmd)
	fs := cmd.Flags()
	fs.StringVar(&o.from, "from", "", "read prompts from `PATH`: an export, a transcript or a folder of transcripts, "+
		"or \"transcripts\" (default: the log)")
	fs.BoolVar(&o.JSON, "json", false, "print the result as JSON")
	fs.StringArrayVar(&o.change.Sets, "set", nil, "override a setting with `KEY=VALUE`; may be repeated")
	fs.StringArrayVar(&o.change.Libraries, "library", nil,
		"search this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	fs.StringArrayVar(&o.change.With, "with-skill", nil,
		"add the skill in `DIR`, replacing any skill of the same name; may be repeated")
	fs.StringVar(&o.change.Synonyms, "synonyms", "", "use `FILE` as your synonyms.yaml")
	return cmd
}

// candidatesListed is the number of candidates listed for each decision, enough to explain a changed suggestion.
const candidatesListed = 10

func (o *Options) work(ctx context.Context) error {
	d, err := o.App.Places()
	if err != nil {
		return err
	}
	tmp, err := disk.NewTemp("", "skillgate-replay-")
	if err != nil {
		return err
	}
	defer tmp.Remove()
	s, err := o.App.Settings(d)
	if err != nil {
		return err
	}
	m := &lab.Lab{Dirs: d, Cwd: o.App.Cwd, Environ: o.App.Environ, Here: s, Open: o.App.Workspace(d, s), Tmp: tmp.Path}
	src, err := openSource(ctx, o.App, m, o)
	if err != nil {
		return hint(err)
	}
	defer src.close()
	return logged.Error(hint(compare(ctx, m, src, o)), d.State)
}

func hint(err error) error {
	switch {
	case errors.Is(err, lab.ErrSet):
		return app.Hint(err, "for example --set score_min=7")
	case errors.Is(err, lab.ErrSynonyms):
		return app.Hint(err, "--synonyms takes a file like synonyms.yaml; `skillgate synonyms --help` shows one")
	}
	return err
}

func sides(ctx context.Context, m *lab.Lab, src *prompts, f *Options) (a, b *replay.Side, err error) {
	if b, err = m.Side(ctx, &f.change, candidatesListed); err != nil {
		return nil, nil, err
	}
	if f.change.Empty() && src.logged {
		return &replay.Side{Name: "recorded", Logged: true}, b, nil
	}
	a, err = m.Side(ctx, &lab.Change{}, candidatesListed)
	return a, b, err
}

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
	Used   []string      `json:"used,omitempty"` // skills that the model used in the same turn
}

type answerJSON struct {
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason,omitempty"`
	Need    float64  `json:"need"`
	Named   []string `json:"named"`
	Best    string   `json:"best,omitempty"` // first candidate if nothing is suggested
	Score   float64  `json:"score"`          // score of the first candidate
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
	c := changedPrompt{ID: p.ID, Prompt: p.Text, Lang: p.Lang, Form: p.Form(), Change: r.Change, Cause: r.Cause,
		A: answerOf(r.A), B: answerOf(r.B)}
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

type report struct {
	*replay.Summary
	Listed []changedPrompt `json:"listed"` // changed prompts
}

func compare(ctx context.Context, m *lab.Lab, src *prompts, o *Options) error {
	a, b, err := sides(ctx, m, src, o)
	if err != nil {
		return err
	}
	notes := &replay.Notes{}
	job := replay.Job{Source: src.source, Filter: src.filter, A: a, B: b, Notes: notes}
	bar := o.App.Progress("replaying", src.ownBar)
	job.Progress = func(done int) { bar.Set(done, max(done, src.total)) }
	report := &report{Summary: replay.NewSummary(job), Listed: []changedPrompt{}}
	err = replay.Run(ctx, job, func(r *replay.Result) error {
		if report.Add(r) && r.Change != replay.Unchanged {
			report.Listed = append(report.Listed, changedOf(r))
		}
		return nil
	})
	bar.Done()
	if err != nil {
		return err
	}
	report.Finish(notes)
	if report.Problems = append(report.Problems, m.Notes()...); b.Settings.Rerank.Enabled {
		report.Problems = append(report.Problems, "replay does not use the reranker, although rerank.enabled is set")
	}
	report.Partial = report.Partial || len(report.Problems) > 0
	if report.Prompts == 0 {
		return app.Fail("the filters may exclude every logged prompt; `skillgate log` lists them", "no prompts to replay")
	}
	if o.JSON {
		return o.App.PrintJSON(report)
	}
	return printReport(o.App, report)
}
