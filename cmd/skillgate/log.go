package main

import (
	"bufio"
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
	"golang.org/x/term"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func newLogCommand(e *env) *cobra.Command {
	var f filterFlags
	var asJSON, follow bool
	var last int
	cmd := &cobra.Command{
		Use:   "log [ID]",
		Short: "Show what was decided about past prompts, and what came of it",
		Long: `log shows the newest decisions, oldest first: when, what and why, the prompt, the
skills, the need and score that decided, how long it took, and whether a skill
that was named was then used. With an id (or its start, see --json) it shows one
decision whole.

followed: yes, one of the named skills was used; no, only others were; ?, no use
was reported, which is not a no; mcp, an MCP client asked, and nobody reports to
it. "missed x": the model used x unasked.`,
		Example: `  skillgate log --last 50
  skillgate log --since 2h --verdict inject
  skillgate log --followed no --skill pdf
  skillgate log --follow
  skillgate log --json --last 0 > decisions.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if last < 0 {
				return &exitError{code: 3, err: fmt.Errorf("--last is %d, want 0 (all) or more", last)}
			}
			filter, err := f.filter(e)
			if err != nil {
				return err
			}
			db, err := e.openJournal(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			filter.Limit, filter.Lookups = last, true
			switch {
			case len(args) == 1:
				err = e.logOne(cmd.Context(), db, args[0], asJSON)
			case follow:
				err = e.logFollow(cmd.Context(), db, filter, asJSON)
			default:
				err = e.logList(cmd.Context(), db, filter, asJSON)
			}
			return journalError(err, db.Dir())
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.Flags().BoolVar(&follow, "follow", false, "go on with new decisions as they come")
	cmd.Flags().IntVar(&last, "last", 20, "the newest `N` decisions, 0 for all")
	cmd.AddCommand(newLogPruneCommand(e), newLogExportCommand(e), newLogRedactCommand(e))
	return cmd
}

func (e *env) logList(ctx context.Context, db *store.DB, f store.Filter, asJSON bool) error {
	// The newest N are asked for newest first and shown the other way round.
	f.Newest = f.Limit > 0
	n := 0
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	if asJSON && !f.Newest { // all of them: as they come, not from memory
		err := db.Each(ctx, f, func(entry store.Entry) error {
			n++
			return enc.Encode(entry)
		})
		if err != nil || n > 0 {
			return err
		}
		return e.logNothing(ctx, db)
	}
	list, err := db.List(ctx, f)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return e.logNothing(ctx, db)
	}
	table := newLogTable(e)
	for i := range list {
		entry := list[i]
		if f.Newest {
			entry = list[len(list)-1-i]
		}
		if asJSON {
			if err := enc.Encode(entry); err != nil {
				return err
			}
			continue
		}
		table.add(entry)
	}
	if asJSON {
		return nil
	}
	return table.print(e.stdout)
}

// logNothing says why there is nothing to show.
func (e *env) logNothing(ctx context.Context, db *store.DB) error {
	size, err := db.Size(ctx)
	if err != nil {
		return err
	}
	if size.Decisions > 0 {
		fmt.Fprintf(e.stderr, "skillgate: no decision matches; the journal holds %d\n", size.Decisions)
		return nil
	}
	fmt.Fprintln(e.stderr, "skillgate: the journal is empty: no prompt has been decided yet")
	fmt.Fprintln(e.stderr, "skillgate: hint: `skillgate install` registers the hook, `skillgate doctor` checks it; then type a prompt in Claude Code")
	return nil
}

func (e *env) logOne(ctx context.Context, db *store.DB, id string, asJSON bool) error {
	entry, err := db.Get(ctx, id)
	if errors.Is(err, store.ErrNone) || errors.Is(err, store.ErrMany) {
		return &exitError{code: 3, err: err, hint: "`skillgate log --json` shows ids; give more of one"}
	}
	if err != nil {
		return err
	}
	if asJSON {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		return enc.Encode(entry)
	}
	fmt.Fprintf(e.stdout, "%s  %s\n", entry.ID, entry.Time.In(e.now().Location()).Format(time.DateTime))
	if entry.Source == journal.SourceMCP {
		fmt.Fprintln(e.stdout, "asked for by an MCP client")
	}
	fmt.Fprintf(e.stdout, "%s\n", visible(promptText(entry)))
	e.printDecision(*entry.Decision, true)
	for _, o := range entry.Outcomes {
		state := ""
		if !o.Success {
			state = ", failed"
		}
		fmt.Fprintf(e.stdout, "used: %s (%s%s)\n", visible(o.Skill), o.Tool, state)
	}
	return nil
}

func (e *env) logFollow(ctx context.Context, db *store.DB, f store.Filter, asJSON bool) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	table := newLogTable(e)
	const interval = 300 * time.Millisecond // soon enough for an eye, seldom enough for a disk
	return db.Watch(ctx, f, interval, e.now, func(entry store.Entry) error {
		if asJSON {
			return enc.Encode(entry)
		}
		return table.printRow(e.stdout, entry)
	})
}

func newLogPruneCommand(e *env) *cobra.Command {
	var older string
	var yes bool
	cmd := &cobra.Command{
		Use:     "prune --older SPAN",
		Short:   "Remove old decisions and outcomes for good",
		Long:    "prune removes decisions older than SPAN, their outcomes and old session events, and\ngives the space back. What was removed cannot be brought back: `skillgate log export` first.",
		Example: "  skillgate log prune --older 90d\n  skillgate log prune --older 2026-01-01 --yes",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if older == "" {
				return &exitError{code: 3, err: errors.New("--older is missing"), hint: "for example `skillgate log prune --older 90d`"}
			}
			before, err := parseWhen("older", older, e.now())
			if err != nil {
				return err
			}
			db, err := e.openJournal(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			n, err := db.CountOlder(cmd.Context(), before)
			if err != nil {
				return journalError(err, db.Dir())
			}
			what := fmt.Sprintf("%d decisions, %d outcomes and %d events from before %s", n.Decisions, n.Outcomes, n.Events, before.Format(time.DateTime))
			if n == (store.Pruned{}) {
				fmt.Fprintln(e.stdout, "nothing to remove from before "+before.Format(time.DateTime))
				return nil
			}
			if err := e.agree(yes, "remove "+what); err != nil {
				return err
			}
			if _, err := db.Prune(cmd.Context(), before); err != nil {
				return journalError(err, db.Dir())
			}
			fmt.Fprintln(e.stdout, "removed "+what)
			return nil
		},
	}
	cmd.Flags().StringVar(&older, "older", "", "older than `SPAN` (90d, 12w) or from before a date")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// agree asks on a terminal whether to do what cannot be undone; elsewhere it
// wants --yes.
func (e *env) agree(yes bool, what string) error {
	if yes {
		return nil
	}
	f, ok := e.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return &exitError{code: 3, err: fmt.Errorf("not confirmed: %s", what), hint: "add --yes"}
	}
	fmt.Fprintf(e.stderr, "%s? [y/N] ", what)
	line, err := bufio.NewReader(f).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return &exitError{code: 3, err: errors.New("nothing was changed")}
	}
	return nil
}

func newLogExportCommand(e *env) *cobra.Command {
	var since, until, output string
	cmd := &cobra.Command{
		Use:     "export",
		Short:   "Write the journal as JSON lines, for a backup or for replay",
		Long:    "export writes every record, decisions as well as outcomes, oldest first, one JSON\nobject a line, as the hook logged them.",
		Example: "  skillgate log export --output journal.jsonl\n  skillgate log export --since 7d | jq .decision.verdict",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			from, err := parseWhen("since", since, e.now())
			if err != nil {
				return err
			}
			to, err := parseWhen("until", until, e.now())
			if err != nil {
				return err
			}
			db, err := e.openJournal(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			if output == "" {
				_, err = db.Export(cmd.Context(), e.stdout, from, to)
				return journalError(err, db.Dir())
			}
			f, err := os.OpenFile(e.absolute(output), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return &exitError{code: 3, err: err, hint: "--output makes a new file; choose a name that is free"}
			}
			w := bufio.NewWriter(f)
			n, err := db.Export(cmd.Context(), w, from, to)
			if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
				return journalError(err, db.Dir())
			}
			fmt.Fprintf(e.stderr, "skillgate: %d records written to %s\n", n, output)
			return nil
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "from `WHEN` on")
	cmd.Flags().StringVar(&until, "until", "", "before `WHEN`")
	cmd.Flags().StringVar(&output, "output", "", "write to a new `FILE` (mode 0600) instead of standard output")
	return cmd
}

func newLogRedactCommand(e *env) *cobra.Command {
	var level string
	var yes bool
	cmd := &cobra.Command{
		Use:   "redact",
		Short: "Redact logged prompts again, or keep less of them",
		Long: `redact applies this version's redaction (keys, tokens, passwords, e-mail
addresses, card and registration numbers) to every logged prompt. With --prompts
hash or none it also removes the prompts themselves, which cannot be undone; new
prompts are logged as the setting log.prompts says.`,
		Example: "  skillgate log redact\n  skillgate log redact --prompts hash --yes",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("prompts", level, []string{journal.Full, journal.Hash, journal.None}); err != nil {
				return err
			}
			if level != journal.Full {
				if err := e.agree(yes, "remove the text of every logged prompt"); err != nil {
					return err
				}
			}
			db, err := e.openJournal(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			n, err := db.Redact(cmd.Context(), level)
			if err != nil {
				return journalError(err, db.Dir())
			}
			fmt.Fprintf(e.stdout, "%d records changed\n", n)
			return nil
		},
	}
	cmd.Flags().StringVar(&level, "prompts", journal.Full, "keep no more than this `LEVEL` of a prompt: full, hash or none")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// absolute is path, relative to the session's folder.
func (e *env) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.cwd, path)
}
