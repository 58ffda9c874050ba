// Package enrich is the command that has expansions written: what users would type for a skill.
package enrich

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/wording"
)

type options struct {
	App       *app.App
	provider  Provider
	languages []string
	only      []string
	limit     int
	dryRun    bool
	json      bool
}

// New returns the command.
func New(a *app.App) *cobra.Command {
	f := &options{App: a}
	cmd := &cobra.Command{
		Use:   "enrich",
		Short: "Let a model write what users would type for each skill, once",
		Long: `enrich asks a language model that you already have what users would type for
each skill: requests in your languages, keywords, colloquial terms. The index
matches them, so that a prompt finds a skill whose text uses other words. The
hook stays without a model and as fast as before, and the phrases never reach
the model.

It asks only for skills whose content has none yet, keeps each answer at once,
and goes on where it was stopped. What leaves this machine is the head of each
skill's text, with secrets redacted, to the provider you name:

  claude  Claude Code in print mode with your login; tools, hooks and skills off
  openai  any endpoint with OpenAI's interface (Ollama, vLLM, llama.cpp):
          --base-url or OPENAI_BASE_URL, key in OPENAI_API_KEY

They are lines of expansions.jsonl in the state folder. To be rid of some, delete
their lines and run "skillgate index"; a skill without any is asked for again.`,
		Example: `  skillgate enrich --dry-run
  skillgate enrich --limit 20
  skillgate enrich --provider openai --base-url http://localhost:11434/v1 --model qwen3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f) },
	}
	f.add(cmd)
	return cmd
}

func (f *options) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.provider.AddFlags(flags)
	flags.StringSliceVar(&f.languages, "languages", nil, "language `CODES` (setting enrich.languages)")
	flags.StringArrayVar(&f.only, "only", nil,
		"only skills whose name, folder or id matches `PATTERN`, in which * and ? are wildcards; may be repeated")
	flags.IntVar(&f.limit, "limit", 0, "at most `N` skills")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be asked and what it costs; ask nothing")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
}

type report struct {
	Provider string          `json:"provider"`
	Model    string          `json:"model,omitempty"`
	DryRun   bool            `json:"dry_run"`
	Estimate enrich.Estimate `json:"estimate"`
	USD      *float64        `json:"estimate_usd,omitempty"` // list price, if it is known
	Run      *enrich.Report  `json:"run,omitempty"`
	Skills   []string        `json:"skills,omitempty"` // with --dry-run: their names
}

func run(ctx context.Context, f *options) error {
	d, s, err := f.App.PlacesAndSettings()
	if err != nil {
		return err
	}
	a := f.App
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := f.complete(a, s); err != nil {
		return err
	}
	entries, err := Skills(ctx, a, d, s)
	if err != nil {
		return err
	}
	// A dry run reads the store beside whoever writes it.
	open := enrich.Open
	if f.dryRun {
		open = enrich.Load
	}
	known, err := open(d.State)
	if err != nil {
		return Hint(err)
	}
	defer known.Close()
	p, err := f.provider.Open(a, d, f.languages, f.dryRun)
	if err != nil {
		return err
	}
	todo := known.Plan(entries, enrich.Select{Languages: f.languages, Only: f.only, Limit: f.limit})
	skills := make([]enrich.Skill, 0, len(todo))
	for _, entry := range todo {
		skills = append(skills, enrich.SkillOf(entry))
	}
	report := report{Provider: f.provider.Name, Model: f.provider.Model, DryRun: f.dryRun}
	report.Estimate = enrich.EstimateFor(skills, f.languages, enrich.DefaultBatch)
	report.USD = enrich.ListPrice(report.Provider, report.Model, report.Estimate)
	if f.dryRun {
		for _, skill := range skills {
			report.Skills = append(report.Skills, skill.Name)
		}
		return printReport(a, report, f.json)
	}
	if len(skills) > 0 {
		fmt.Fprintf(a.Stderr, "skillgate: asking %s about %s: %s\n", enrich.ProviderName(report.Provider,
			report.Model), wording.Count(len(skills), "skill"), estimateText(report))
		if err := addNeighbours(ctx, a, d, s, entries, skills); err != nil {
			return err
		}
		result, err := askAll(ctx, a, p, skills, entries, known, f)
		report.Run = &result
		if result.Written > 0 {
			// What was written counts even if the run was stopped.
			err = errors.Join(err, a.RefreshSkills(context.WithoutCancel(ctx), d, s))
		}
		if err != nil {
			printErr := printReport(a, report, f.json)
			return errors.Join(Hint(err), printErr)
		}
	}
	if err := printReport(a, report, f.json); err != nil {
		return err
	}
	if report.Run != nil && len(report.Run.Failed) > 0 {
		return app.ErrFindings
	}
	return nil
}

func (f *options) complete(a *app.App, s gate.Settings) error {
	f.provider.Complete(a, s)
	if len(f.languages) == 0 {
		f.languages = s.Enrich.Languages
	}
	if err := enrich.CheckLanguages(f.languages); err != nil {
		return app.Hint(err, "--languages ko,en")
	}
	if f.limit < 0 {
		return app.Usage("--limit is %d, want 0 or more", f.limit)
	}
	return nil
}

// Of asking a provider.
const (
	jobs     = 3 // requests at a time
	attempts = 5 // at one request
	timeout  = 5 * time.Minute
)

func askAll(ctx context.Context, a *app.App, p *enrich.Model, skills []enrich.Skill, entries []catalog.Entry,
	known *enrich.Store, f *options) (enrich.Report, error) {
	o := enrich.Options{
		Languages: f.languages, Batch: enrich.DefaultBatch, Jobs: jobs, Attempts: attempts, Timeout: timeout,
		Checker: enrich.NewChecker(catalog.Names(entries)), Save: known.Put, Now: a.Now, Sleep: enrich.Sleep,
	}
	bar := a.Progress("enriching", f.json)
	defer bar.Done()
	o.Progress = bar.Set
	return enrich.Run(ctx, p, skills, o)
}
