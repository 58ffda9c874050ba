// Package enrich implements the command enrich, which lets a model write expansions: requests that users would type
// for a skill.
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
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/triage"
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

func New(a *app.App) *cobra.Command {
	f := &options{App: a}
	cmd := &cobra.Command{
		Use:   "enrich",
		Short: "Let a model write requests that users would type for each skill",
		Long: `enrich asks a language model that you already have what users would type for
each skill: requests in your languages, keywords and colloquial terms. The index
matches these expansions, so that a prompt finds a skill whose text uses other
words. The hook still uses no model and stays as fast as before, and expansions
are never sent to the model of a session.

enrich asks only about skills whose current text has no expansion yet, stores each
answer at once, and continues where it was stopped. Only the beginning of each
skill's text, with secrets redacted, is sent to the provider you name:

  claude  Claude Code in print mode with your login; tools, hooks and skills off
  openai  any endpoint with OpenAI's interface (Ollama, vLLM, llama.cpp):
          --base-url or OPENAI_BASE_URL, key in OPENAI_API_KEY

Expansions are stored in expansions.jsonl in the state folder. To remove some,
delete their lines and run "skillgate index". The next enrich asks about these
skills again.`,
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
	flags.StringSliceVar(&f.languages, "languages", nil,
		"write the requests in the languages `CODES`, such as en,ko (setting enrich.languages)")
	flags.StringArrayVar(&f.only, "only", nil,
		"enrich only skills whose name, folder or id matches `PATTERN`, in which * and ? are wildcards; may be repeated")
	flags.IntVar(&f.limit, "limit", 0, "enrich at most `N` skills")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the number of requests and their cost without sending any")
	flags.BoolVar(&f.json, "json", false, "print the report as JSON")
}

type report struct {
	Provider string          `json:"provider"`
	Model    string          `json:"model,omitempty"`
	DryRun   bool            `json:"dry_run"`
	Estimate enrich.Estimate `json:"estimate"`
	USD      *float64        `json:"estimate_usd,omitempty"` // at list price; nil if unknown
	Run      *enrich.Report  `json:"run,omitempty"`
	Skills   []string        `json:"skills,omitempty"` // names of the skills, only with --dry-run
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
	// A dry run needs no lock on the store.
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
			// Expansions that were stored are indexed even if the run was stopped.
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
		return app.Hint(err, "for example --languages ko,en")
	}
	if f.limit < 0 {
		return app.Usage("--limit must be 0 or more, not %d", f.limit)
	}
	return nil
}

const (
	jobs     = 3 // concurrent requests
	attempts = 5 // per request
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

const neighbours = 3

func addNeighbours(ctx context.Context, a *app.App, d dirs.Dirs, s gate.Settings, entries []catalog.Entry,
	skills []enrich.Skill) error {
	g, err := a.OpenSkills(ctx, d, s, nil)
	if err != nil {
		return err
	}
	defer g.Close()
	byID := make(map[string]*catalog.Entry, len(entries))
	for i := range entries {
		byID[entries[i].ID] = &entries[i]
	}
	bar := a.Progress("looking for similar skills", false)
	defer bar.Done()
	for i := range skills {
		skill := &skills[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		decision := g.Decide(ctx, gate.Request{Prompt: triage.Prompt{Kind: triage.Search,
			Text: skill.Name + "\n" + skill.Description}, K: neighbours + 1})
		for _, c := range decision.Candidates {
			if other := byID[c.ID]; other != nil && c.ID != skill.ID && c.Name != skill.Name &&
				len(skill.Neighbours) < neighbours {
				skill.Neighbours = append(skill.Neighbours, enrich.Neighbour{Name: other.Name, Description: other.Capability})
			}
		}
		bar.Set(i+1, len(skills))
	}
	return nil
}

func estimateText(r report) string {
	x := r.Estimate
	text := fmt.Sprintf("%s, about %s tokens in and %s out", wording.Count(x.Requests, "request"), enrich.Thousands(x.In),
		enrich.Thousands(x.Out))
	if r.USD != nil {
		text += fmt.Sprintf(", about $%.2f at list price (nothing extra with a subscription)", *r.USD)
	}
	return text
}

func printReport(a *app.App, r report, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(r)
	}
	out := a.Stdout
	if r.DryRun {
		fmt.Fprintf(out, "would ask %s about %s: %s\n", enrich.ProviderName(r.Provider, r.Model),
			wording.Count(r.Estimate.Skills, "skill"), estimateText(r))
		return nil
	}
	if r.Run == nil {
		fmt.Fprintln(out, "nothing to do: all selected skills are already enriched")
		return nil
	}
	run := r.Run
	fmt.Fprintf(out, "enriched %d of %s with %s in %s", run.Written, wording.Count(run.Skills, "skill"),
		wording.Count(run.Phrases, "phrase"),
		time.Duration(run.Seconds*float64(time.Second)).Round(time.Second))
	fmt.Fprintf(out, " (%s, %s tokens in, %s out", wording.Count(run.Requests, "request"), enrich.Thousands(run.Usage.In),
		enrich.Thousands(run.Usage.Out))
	if run.Usage.Cost > 0 {
		fmt.Fprintf(out, ", $%.2f", run.Usage.Cost)
	}
	fmt.Fprintln(out, ")")
	if n := run.Dropped.Total(); n > 0 {
		fmt.Fprintf(out, "%s rejected (--json shows the reasons)\n", wording.Count(n, "phrase"))
	}
	for i, f := range run.Failed {
		if i == 10 {
			fmt.Fprintf(out, "  and %d others\n", len(run.Failed)-i)
			break
		}
		fmt.Fprintf(out, "  not enriched: %s: %s\n", f.ID, f.Why)
	}
	return nil
}
