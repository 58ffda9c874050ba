// Package log implements the command log, which shows, exports and removes past decisions.
package log

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/decision"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/triage"
)

type options struct {
	App    *app.App
	Filter logged.Filter
	ID     string // id of one decision or its beginning, "" for a list
	JSON   bool
	Follow bool
	Last   int // 0 for all
}

func New(a *app.App) *cobra.Command {
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "log [ID]",
		Short: "Show past decisions and their outcomes",
		Long: `log lists the newest decisions in the order in which they were made. With ID, the
id of a decision or its first characters (see --json), it shows that decision in
full. The id "last" is the newest decision that is not about a command.

The column "followed" says whether a suggested skill was then used. Besides yes and
no it shows "?" if the turn is running, was interrupted or was not watched, "agent"
for the task of a subagent, "mcp" for a request of an MCP client, which does not
report uses, "missed X" if the model used X without a suggestion, and "typed X" if
the user typed /X.`,
		Example: `  skillgate log --last 50
  skillgate log --since 2h --verdict inject
  skillgate log --followed no --skill pdf
  skillgate log --follow
  skillgate log --json --last 0 > decisions.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.ID = args[0]
			}
			if o.Last < 0 {
				return app.Usage("--last must be 0 (all) or more, not %d", o.Last)
			}
			if _, ok := app.Terminal(a.Stdout); ok && o.Follow && !o.JSON {
				fmt.Fprintln(a.Stderr, a.T("Waiting for prompts; press Ctrl-C to stop."))
			}
			return run(cmd.Context(), o)
		},
	}
	o.Filter.Add(cmd)
	o.Filter.AddSkill(cmd)
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object per line")
	cmd.Flags().BoolVar(&o.Follow, "follow", false, "keep running and print new decisions as they are made")
	cmd.Flags().IntVar(&o.Last, "last", 20, "show only the newest `N` decisions; 0 shows all")
	cmd.AddCommand(newPrune(a), newExport(a))
	return cmd
}

func run(ctx context.Context, o *options) error {
	filter, err := o.Filter.Parse(o.App)
	if err != nil {
		return err
	}
	filter.Limit, filter.Lookups = o.Last, true
	return logged.With(ctx, o.App, func(db *store.DB) error {
		switch {
		case o.ID != "":
			return one(ctx, o, db)
		case o.Follow:
			return follow(ctx, o, db, filter)
		}
		return list(ctx, o, db, filter)
	})
}

func list(ctx context.Context, o *options, db *store.DB, f store.Filter) error {
	a := o.App
	// The newest N are read newest first and shown oldest first.
	f.Newest = f.Limit > 0
	n := 0
	enc := a.JSONLines()
	if o.JSON && !f.Newest { // streamed, because all may not fit in memory
		err := db.Each(ctx, f, func(entry store.Entry) error {
			n++
			return enc.Encode(entry)
		})
		if err != nil || n > 0 {
			return err
		}
		return logged.Nothing(ctx, a, db)
	}
	entries, err := db.List(ctx, f)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return logged.Nothing(ctx, a, db)
	}
	if f.Newest {
		slices.Reverse(entries)
	}
	if o.JSON {
		for _, entry := range entries {
			if err := enc.Encode(entry); err != nil {
				return err
			}
		}
		return nil
	}
	if err := printTable(a, entries); err != nil {
		return err
	}
	var kept store.Kept
	for _, entry := range entries {
		kept.Add(entry.Prompts, entry.Decision.Verdict)
	}
	if kept.Terms+kept.Gone > 0 {
		a.Say("of %d prompts, %d are shown as terms and %d are not shown, because of the setting log.prompts\n",
			kept.Prompts, kept.Terms, kept.Gone)
	}
	return nil
}

// last can be given as an ID. It means the newest prompt that is not a command.
const last = "last"

func found(ctx context.Context, id string, db *store.DB) (entry store.Entry, err error) {
	if id != last {
		return db.Get(ctx, id)
	}
	list, err := db.List(ctx, store.Filter{Newest: true, Limit: 100})
	i := slices.IndexFunc(list, func(e store.Entry) bool { return e.Decision.Reason != gate.Command })
	if err != nil || i < 0 {
		return entry, cmp.Or(err, store.ErrNone)
	}
	return list[i], nil
}

func one(ctx context.Context, o *options, db *store.DB) error {
	a := o.App
	entry, err := found(ctx, o.ID, db)
	if o.ID == last && errors.Is(err, store.ErrNone) {
		return logged.Nothing(ctx, a, db)
	}
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrMany) {
		return app.Hint(err, "`skillgate log --json` shows the ids; if several match, give more characters")
	}
	if err != nil {
		return err
	}
	if o.JSON {
		return a.JSONLines().Encode(entry)
	}
	fmt.Fprintf(a.Stdout, "%s  %s\n", entry.ID, entry.Time.In(a.Now().Location()).Format(time.DateTime))
	if entry.Source == journal.SourceMCP {
		a.Say("requested by an MCP client\n")
	}
	fmt.Fprintf(a.Stdout, "%s\n", app.Visible(triage.Typed(entry.PromptText())))
	decision.Print(a, *entry.Decision, true)
	for _, use := range entry.Outcomes {
		state := ""
		if !use.Success {
			state = a.T(", failed")
		}
		a.Say("used: %s (%s%s)\n", app.Visible(use.Skill), use.Tool, state)
	}
	return nil
}

func follow(ctx context.Context, o *options, db *store.DB, f store.Filter) error {
	a := o.App
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	enc := a.JSONLines()
	const interval = 300 * time.Millisecond // often enough for a reader without straining the disk
	return db.Watch(ctx, f, interval, a.Now, func(entry store.Entry) error {
		if o.JSON {
			return enc.Encode(entry)
		}
		c := cells(a, entry)
		_, err := fmt.Fprintf(a.Stdout, "%s  %-22s  %s  → %s\n", c[0], c[1], c[3], c[4])
		return err
	})
}

func newPrune(a *app.App) *cobra.Command {
	var older, level string
	var yes bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Permanently remove old decisions, or the text of prompts",
		Long: `prune --older removes decisions older than SPAN, their outcomes and old session
events, and frees the space. prune --prompts removes the text of every logged
prompt and keeps a hash or nothing; new prompts are logged as the setting
log.prompts says. Removed data cannot be restored: run "skillgate log export"
first.`,
		Example: "  skillgate log prune --older 90d\n  skillgate log prune --prompts hash --yes",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if level != "" {
				return forget(cmd.Context(), a, level, yes)
			}
			if older == "" {
				return app.Fail("for example `skillgate log prune --older 90d`", "--older or --prompts is required")
			}
			before, err := logged.When("older", older, a.Now())
			if err != nil {
				return err
			}
			return prune(cmd.Context(), a, before, yes)
		},
	}
	cmd.Flags().StringVar(&older, "older", "", "remove decisions older than `SPAN` (90d, 12w, or a date)")
	cmd.Flags().StringVar(&level, "prompts", "", "reduce all logged prompts to this `LEVEL`: hash or none")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.MarkFlagsMutuallyExclusive("older", "prompts")
	return cmd
}

func prune(ctx context.Context, a *app.App, before time.Time, yes bool) error {
	return logged.With(ctx, a, func(db *store.DB) error {
		n, any, err := db.CountOlder(ctx, before)
		if err != nil {
			return err
		}
		if !any {
			fmt.Fprintf(a.Stdout, "nothing to remove: the log has no records older than %s\n", before.Format(time.DateTime))
			return nil
		}
		what := wording.Count(n, "decision") + " older than " + before.Format(time.DateTime) + ", with all outcomes"
		if err := confirm(a, yes, "remove "+what); err != nil {
			return err
		}
		if err := db.Prune(ctx, before); err != nil {
			return err
		}
		fmt.Fprintln(a.Stdout, "removed "+what)
		return nil
	})
}

func forget(ctx context.Context, a *app.App, level string, yes bool) error {
	if err := app.OneOf("prompts", level, []string{journal.Hash, journal.None}); err != nil {
		return err
	}
	if err := confirm(a, yes, "remove the text of every logged prompt"); err != nil {
		return err
	}
	return logged.With(ctx, a, func(db *store.DB) error {
		n, err := db.Redact(ctx, level)
		if err == nil {
			fmt.Fprintf(a.Stdout, "%s changed\n", wording.Count(n, "record"))
		}
		return err
	})
}

func newExport(a *app.App) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the log as JSON lines, for a backup or for replay",
		Long: "export writes all records (decisions and outcomes) as the hook logged them, oldest\nfirst, one JSON " +
			"object per line.",
		Example: "  skillgate log export --output journal.jsonl\n  skillgate log export | jq .decision.verdict",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return logged.With(cmd.Context(), a, func(db *store.DB) error {
				if output == "" {
					_, err := db.Export(cmd.Context(), a.Data())
					return err
				}
				f, err := os.OpenFile(a.Absolute(output), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
				if err != nil {
					return app.Hint(err, "--output creates a new file: choose an unused name in an existing folder")
				}
				w := bufio.NewWriter(f)
				n, err := db.Export(cmd.Context(), w)
				if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
					return err
				}
				fmt.Fprintf(a.Stderr, "skillgate: %s written to %s\n", wording.Count(n, "record"), output)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "write to a new `FILE` (mode 0600) instead of standard output")
	return cmd
}

func confirm(a *app.App, yes bool, what string) error {
	if yes {
		return nil
	}
	return a.Confirm(what, "nothing was changed", "add --yes")
}
