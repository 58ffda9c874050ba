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

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/lint/report"
)

const (
	suggestAttempts = 3
	suggestTimeout  = 5 * time.Minute // of one attempt
)

// suggest has a model write a description for one skill and prints it where measurement agrees: with --diff the
// change alone, with --fix it is carried out too.
func suggest(ctx context.Context, f *Options, j *job.Job, d dirs.Dirs, s gate.Settings) error {
	a := f.App
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := enrich.CheckLanguages(s.Enrich.Languages); err != nil {
		return app.Hint(err, "the setting enrich.languages")
	}
	f.provider.Complete(a, s)
	w := &writer{f: f, cache: filepath.Join(d.Cache, "suggest"), state: d.State, languages: s.Enrich.Languages}
	var err error
	if w.model, err = f.provider.Open(a, d, w.languages, false); err != nil {
		return err
	}
	x, change, err := j.Suggest(ctx, f.suggest, f.paths, w.write)
	var fault *enrich.Fault
	if errors.As(err, &fault) || errors.Is(err, context.Canceled) {
		return enrichment.Hint(err)
	}
	if err != nil {
		return jobError(err, "")
	}
	switch {
	case f.json:
		return a.PrintJSON(x)
	case !f.diff || change == nil:
		fmt.Fprint(a.Stdout, suggested(x))
	}
	return f.carryOut(change)
}

// writer asks a model about one skill, once.
type writer struct {
	f            *Options
	model        *enrich.Model
	cache, state string
	languages    []string
}

func (w *writer) write(ctx context.Context, s enrich.Skill, fewest int) (job.Written, error) {
	p := &w.f.provider
	key, err := json.Marshal([]any{enrich.SuggestVersion, enrich.PromptVersion, p.Name, p.Model, p.BaseURL, w.languages,
		s})
	if err != nil {
		return job.Written{}, err
	}
	return job.Keep(w.cache, key, fewest, w.f.noCache, func() (job.Written, error) { return w.ask(ctx, s, fewest) })
}

// ask has the requests written first, where enrich has too few: without the new description in view, which is not
// asked for where they could not judge it.
func (w *writer) ask(ctx context.Context, s enrich.Skill, fewest int) (out job.Written, err error) {
	a, p := w.f.App, &w.f.provider
	if known, err := enrich.Load(w.state); err == nil {
		if x, stale, ok := known.Get(s.ID, s.Hash); ok && !stale {
			out.Requests = x.Kept()
		}
	}
	few := len(out.Requests) < max(1, fewest)
	e := enrich.EstimateDescription(s, few, w.languages)
	cost := fmt.Sprintf("%s, about %s tokens", report.Plural(e.Requests, "request"), enrich.Thousands(e.In+e.Out))
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
		return out, app.Fail("run it again, or with another --model",
			"%s: too few requests are known that would tell: the model wrote %d, want %d", s.Name, len(out.Requests), fewest)
	}
	return out, again(func(ctx context.Context) (err error) {
		out.Description, err = w.model.Describe(ctx, s)
		return err
	})
}

// suggested is a suggestion as text, up to the change.
func suggested(x *lint.Suggestion) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  a description by a model\n", x.Path)
	fmt.Fprintf(&b, "  %s that it had not seen: %d find the skill first, with it %d; "+
		"%d among the first five, with it %d\n", report.Plural(x.Asked, "request"),
		x.Before.First, x.After.First, x.Before.Five, x.After.Five)
	fmt.Fprintf(&b, "  %s that its neighbours are first for: it takes %d\n", report.Plural(x.Checked, "request"),
		len(x.Lost))
	if x.Kept {
		b.WriteByte('\n')
		return b.String()
	}
	for _, lost := range x.Lost[:min(len(x.Lost), 3)] {
		fmt.Fprintf(&b, "    %q from %s\n", lost.Prompt, lost.ID)
	}
	fmt.Fprintf(&b, "\nNot kept: %s. What it wrote:\n%s\n", x.Refused, x.Description)
	return b.String()
}
