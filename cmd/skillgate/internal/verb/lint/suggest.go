package lint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	verb "github.com/skillgate/skillgate/cmd/skillgate/internal/verb/enrich"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/wording"
)

const (
	suggestAttempts = 3
	suggestTimeout  = 5 * time.Minute // per attempt
)

func newSuggest(a *app.App) *cobra.Command {
	w, c := &writer{selection: selection{App: a}}, &change{App: a}
	cmd := &cobra.Command{
		Use:   "suggest SKILL [PATH...]",
		Short: "Let a language model write a better description, and test it",
		Long: `suggest asks the language model of "skillgate enrich" for a better description of
SKILL, which is a name or a folder. The description is tested with requests that
the model did not see when it wrote the description; if enrich has stored none,
the model writes them first. suggest shows the new description only if the
requests find the skill better and similar skills keep 99 % of their requests.
The provider gets the beginning of the skill, with secrets redacted, and names and
descriptions of similar skills. Answers are stored until the skill changes.`,
		Example: `  skillgate lint suggest pdf
  skillgate lint suggest pdf skills --fix
  skillgate lint suggest pdf --provider openai --base-url http://localhost:11434/v1 --model qwen3`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w.paths = args[1:]
			return suggest(cmd.Context(), w, c, args[0])
		},
	}
	c.addFlags(cmd)
	w.provider.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&w.noCache, "no-cache", false, "ask the model again instead of using its stored answer")
	return cmd
}

func suggest(ctx context.Context, w *writer, c *change, skill string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	return w.work(func(j *job.Job) error {
		if err := w.open(j); err != nil {
			return err
		}
		x, described, err := j.Suggest(ctx, skill, w.paths, w.write)
		var fault *enrich.Fault
		if errors.As(err, &fault) || errors.Is(err, context.Canceled) {
			return verb.Hint(err)
		}
		if err != nil {
			return jobError(err, "")
		}
		return c.carryOut(x, suggested(x), described)
	})
}

type change struct {
	App       *app.App
	json, fix bool
}

func (c *change) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.json, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&c.fix, "fix", false, "write the new description to the file")
}

func (c *change) carryOut(result any, text string, p *job.Proposal) error {
	a := c.App
	if c.json {
		if err := a.PrintJSON(result); err != nil {
			return err
		}
	} else {
		fmt.Fprint(a.Stdout, text)
	}
	if p == nil {
		return nil
	}
	if !c.json {
		if _, err := app.Raw(a.Stdout).Write(patch(a.Display(p.Entry.Path), p.Old, p.New)); err != nil {
			return err
		}
	}
	if c.fix {
		return rewrite(p.Entry, p.Old, p.New)
	}
	return nil
}

type writer struct {
	selection
	provider     verb.Provider
	model        *enrich.Model
	cache, state string
	languages    []string
}

func (w *writer) open(j *job.Job) error {
	s := j.Settings
	if err := enrich.CheckLanguages(s.Enrich.Languages); err != nil {
		return app.Hint(err, "correct the setting enrich.languages")
	}
	w.cache, w.state, w.languages = filepath.Join(j.Dirs.Cache, "suggest"), j.Dirs.State, s.Enrich.Languages
	w.provider.Complete(w.App, s)
	var err error
	w.model, err = w.provider.Open(w.App, j.Dirs, w.languages, false)
	return err
}

func (w *writer) write(ctx context.Context, s enrich.Skill, fewest int) (job.Written, error) {
	p := &w.provider
	key, err := json.Marshal([]any{enrich.SuggestVersion, enrich.PromptVersion, p.Name, p.Model, p.BaseURL, w.languages,
		s})
	if err != nil {
		return job.Written{}, err
	}
	return job.Keep(w.cache, key, fewest, w.noCache, func() (job.Written, error) { return w.ask(ctx, s, fewest) })
}

func (w *writer) ask(ctx context.Context, s enrich.Skill, fewest int) (out job.Written, err error) {
	a, p := w.App, &w.provider
	if known, err := enrich.Load(w.state); err == nil {
		if x, stale, ok := known.Get(s.ID, s.Hash); ok && !stale {
			out.Requests = x.Kept()
		}
	}
	few := len(out.Requests) < max(1, fewest)
	e := enrich.EstimateDescription(s, few, w.languages)
	cost := fmt.Sprintf("%s, about %s tokens", wording.Count(e.Requests, "request"), enrich.Thousands(e.In+e.Out))
	if usd := enrich.ListPrice(p.Name, p.Model, e); usd != nil {
		cost += fmt.Sprintf(", $%.2f at list price", *usd)
	}
	a.Note("asking %s about %s: %s", enrich.ProviderName(p.Name, p.Model), s.Name, cost)
	again := func(fn func(context.Context) error) error {
		return enrich.Again(ctx, suggestAttempts, enrich.Sleep, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, suggestTimeout)
			defer cancel()
			return fn(ctx)
		})
	}
	if few {
		names := []string{s.Name}
		for _, n := range s.Neighbours {
			names = append(names, n.Name)
		}
		if err := again(func(ctx context.Context) error {
			list, _, err := w.model.Expand(ctx, []enrich.Skill{s})
			for _, x := range list {
				x, _ = enrich.NewChecker(names).Expansion(x)
				out.Requests = x.Kept()
			}
			return err
		}); err != nil {
			return out, err
		}
	}
	if len(out.Requests) < fewest {
		return out, app.Fail("run the command again, perhaps with another --model",
			"%s: the model wrote %d requests, but %d are needed to measure a description", s.Name, len(out.Requests), fewest)
	}
	return out, again(func(ctx context.Context) (err error) {
		out.Description, err = w.model.Describe(ctx, s)
		return err
	})
}

func suggested(x *lint.Suggestion) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  description written by a model\n", x.Path)
	fmt.Fprintf(&b, "  of %s that the model had not seen, %d find the skill first (%d with the new description) "+
		"and %d find it among the first five (%d with the new description)\n", wording.Count(x.Asked, "request"),
		x.Before.First, x.After.First, x.Before.Five, x.After.Five)
	fmt.Fprintf(&b, "  of %s that find a similar skill first, %d no longer do with the new description\n",
		wording.Count(x.Checked, "request"), len(x.Lost))
	if x.Kept {
		b.WriteByte('\n')
		return b.String()
	}
	for _, lost := range x.Lost[:min(len(x.Lost), 3)] {
		fmt.Fprintf(&b, "    %q from %s\n", lost.Prompt, lost.ID)
	}
	fmt.Fprintf(&b, "\nRejected: %s. The model wrote:\n%s\n", x.Refused, x.Description)
	return b.String()
}
