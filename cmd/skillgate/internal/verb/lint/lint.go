// Package lint implements the command lint, which checks skills.
package lint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/lint/report"
)

type selection struct {
	App       *app.App
	paths     []string
	libraries []string
	only      []string // ids of rules
	stdinPath string
	changed   string // git revision
	noCache   bool
}

func (s *selection) addFlags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&s.libraries, "library", nil, "compare with the skills in this `PATH`; may be repeated")
	fs.StringSliceVar(&s.only, "rule", nil, "check only the rule with this `ID`; may be repeated")
	fs.StringVar(&s.stdinPath, "stdin-path", "", "read the new text of `FILE` from standard input")
}

func (s *selection) addParts(fs *pflag.FlagSet) {
	fs.StringVar(&s.changed, "changed", "", "check only skills changed since the git revision `REF`; write --changed=REF")
	fs.Lookup("changed").NoOptDefVal = job.ChangedDefault
}

func (s *selection) work(do func(*job.Job) error) error {
	d, settings, err := s.App.PlacesAndSettings()
	if err != nil {
		return err
	}
	o, err := lint.OptionsFor(settings.Lint.Rules, s.only)
	if err != nil {
		return app.Hint(err, "`skillgate lint rules` lists the rules")
	}
	for _, id := range o.Unknown {
		s.App.Note("lint.rules: unknown rule %q", id)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // restores the limit, which a run on a large library changes
	j := newJob(s.App, d, settings, o)
	j.Libraries, j.StdinPath, j.Changed, j.NoCache = s.libraries, s.stdinPath, s.changed, s.noCache
	return do(j)
}

func (s *selection) check(ctx context.Context, j *job.Job) (*lint.Result, error) {
	res, err := j.Run(ctx, s.paths)
	return res, jobError(err, s.changed)
}

type options struct {
	selection
	json   bool
	sarif  bool
	github bool
	failOn string
	show   string
	quiet  bool
}

func (f *options) text() bool { return !f.json && !f.sarif && !f.github }

func New(a *app.App) *cobra.Command {
	f := &options{selection: selection{App: a}}
	cmd := &cobra.Command{
		Use:   "lint [flags] [PATH...]",
		Short: "Check whether prompts find your skills and, if not, why",
		Long: `lint reports why a prompt may not find a skill. It checks that hosts can read the
skill's files and searches for the skill with its own phrases, as the hook would.
It shows which other skills win these searches, and points out text that you
should read before you trust a skill.

PATH is a folder of skills, a skill's folder (which may contain other skills), a
SKILL.md, a .jsonl or .jsonl.gz file, or "-" for one SKILL.md on standard input.
Without PATH, lint checks the installed skills. It skips folders of test fixtures,
backups and archives. If a folder has the name of a subcommand, write ./fix. In a
folder it also checks the other files of plugins: manifests, hooks, agents and commands.

A skill is compared with the skills of --library. Without that flag it is compared
with those of its repository, otherwise with those of the folder "skills" that
contains it, otherwise with the installed ones.

Errors are problems that hosts reject or that cannot work. Warnings are problems
that make a skill hard to find or may do harm, and references to things that do
not exist. Remarks are counted, and printed with --show info. If there are many
findings, only the five most important kinds are printed in full; --rule ID or
--quiet prints all.

"skillgate lint rules ID" explains a rule. "# skillgate-ignore SG203: reason" in
the frontmatter turns a rule off for the skill. "<!-- skillgate-ignore SG507:
reason -->" in the body turns a rule off for its line and the next line.
"lint: {rules: {SG203: off}}" in skillgate.yaml changes severities.

The report also counts how many requests find the skill first and how many find it
among the first five. The requests are the skill's triggers, the clauses of its
description (each removed from the skill before the search), known prompts from
the log or a trigger-evaluation file, and requests that "skillgate enrich" has
stored. These counts are not findings.

Exit status: 0 no finding at or above --fail-on, 1 findings, 3 failure.`,
		Example: `  skillgate lint
  skillgate lint skills/pdf/SKILL.md --library skills
  skillgate lint skills --changed=origin/main --github
  skillgate lint fix skills
  skillgate lint suggest pdf skills
  skillgate lint rules SG301`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.paths = args
			return f.run(cmd.Context())
		},
	}
	fs := cmd.Flags()
	f.addFlags(fs)
	f.addParts(fs)
	fs.BoolVar(&f.json, "json", false, "print the result as JSON")
	fs.BoolVar(&f.sarif, "sarif", false, "print a SARIF 2.1.0 log")
	fs.BoolVar(&f.github, "github", false, "print annotations for GitHub Actions")
	fs.StringVar(&f.failOn, "fail-on", "error",
		"exit with status 1 for findings of this `SEVERITY` or above: info, warning, error or off")
	fs.StringVar(&f.show, "show", "",
		"report findings of this `SEVERITY` or above (default warning; info with --json or --sarif)")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print one line per finding")
	fs.BoolVar(&f.noCache, "no-cache", false, "ignore cached results")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif", "github")
	cmd.AddCommand(newFix(a), newSuggest(a), newRules(a), newHook(a))
	return cmd
}

func (f *options) run(ctx context.Context) error {
	a := f.App
	failOn, err := lint.ParseSeverity(f.failOn)
	if err != nil {
		return app.Usage("--fail-on: %w", err)
	}
	if f.show == "" {
		f.show = "warning"
		if f.json || f.sarif {
			f.show = "info"
		}
	}
	show, err := lint.ParseSeverity(f.show)
	if err != nil {
		return app.Usage("--show: %w", err)
	}
	return f.work(func(j *job.Job) error {
		res, err := f.check(ctx, j)
		if err != nil {
			return err
		}
		fails := failOn != lint.Off && res.Above(failOn) > 0
		// the counts still include the hidden findings
		res.Findings = slices.DeleteFunc(res.Findings, func(f lint.Finding) bool { return f.Severity < show })
		if f.changed != "" && len(res.Skills)+len(res.Findings) == 0 && f.text() {
			fmt.Fprintf(a.Stdout, "no skill has changed since %s\n", f.changed)
			return nil
		}
		if err := writeReport(a, f, res, j.Singly); err != nil {
			return err
		}
		if fails {
			return app.ErrFindings
		}
		return nil
	})
}

func writeReport(a *app.App, f *options, res *lint.Result, singly bool) error {
	if f.github || f.sarif {
		inWorkspace(a, res)
	}
	switch {
	case f.json:
		return report.WriteJSON(a.Data(), res)
	case f.sarif:
		return report.SARIF(a.Data(), res, build.Read().Version)
	case f.github:
		return report.GitHub(app.Raw(a.Stdout), res)
	}
	return report.Text(a.Stdout, res, report.TextOptions{Color: a.Colours(a.Stdout), Quiet: f.quiet,
		Width: a.Columns(), Places: f.only == nil, All: f.only != nil || singly})
}

func inWorkspace(a *app.App, res *lint.Result) {
	top := a.Getenv("GITHUB_WORKSPACE")
	if top == "" || top == a.Cwd {
		return
	}
	rename := func(path *string) {
		file := a.Absolute(filepath.FromSlash(*path))
		if _, err := os.Stat(file); *path == "" || err != nil {
			return
		}
		if rel, err := filepath.Rel(top, file); err == nil && filepath.IsLocal(rel) {
			*path = filepath.ToSlash(rel)
		}
	}
	for i := range res.Findings {
		rename(&res.Findings[i].Path)
		if fix := res.Findings[i].Fix; fix != nil {
			rename(&fix.Path)
		}
	}
}

func newJob(a *app.App, d dirs.Dirs, s gate.Settings, o lint.Options) *job.Job {
	return &job.Job{
		Dirs: d, Cwd: a.Cwd, Settings: s, Options: o, Open: a.Workspace(d, s), Stdin: a.Stdin, Now: a.Now, Display: a.Display,
		Usage: func(ctx context.Context) map[string]lint.Usage { return usage(ctx, a, d) },
	}
}

func jobError(err error, changed string) error {
	var path job.PathError
	switch {
	case errors.As(err, &path) && changed == job.ChangedDefault:
		return app.Hint(err, "put the revision after an equals sign: --changed=REF")
	case errors.As(err, &path):
		return app.Hint(err, "PATH must be a folder of skills, a skill's folder, a SKILL.md or a .jsonl file")
	case errors.Is(err, job.ErrNoSkills):
		return app.Hint(err, "give a folder of skills, or run lint in a folder with .claude/skills")
	case errors.Is(err, job.ErrNoSkill):
		return app.Hint(err, "give the skill's name or folder; if the skill is not installed, also give its library's folder")
	case errors.Is(err, job.ErrNoRepository):
		return app.Hint(err, "run lint on skills in a git repository, or without --changed")
	}
	return err
}
