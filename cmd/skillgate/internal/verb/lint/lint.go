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
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/lint/report"
	"github.com/skillgate/skillgate/hooks"
	"github.com/skillgate/skillgate/hooks/listing"
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
	fs.StringVar(&s.changed, "changed", "", "check only skills that have changed in git since `REF` (--changed=REF)")
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
	for _, why := range o.Removed {
		s.App.Note("lint.rules: %s", why)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // restores the limit that a large library sets
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
		Short: "Check whether prompts find skills, and why not",
		Long: `lint checks skills with the gate's own retriever: whether their files are what
hosts read, whether their own phrases find them in whatever language they are,
who takes their prompts and by which word, and what a reader should see before
trusting them.

Without PATH it checks the installed skills. A PATH is a folder of skills, a
skill's folder, a SKILL.md, a .jsonl or .jsonl.gz file, or "-" for one SKILL.md
on standard input. With a skill's folder the skills below it are checked too.
A skill is compared with those of --library; without it with those of its
repository, else of the folder "skills" that it is in, else with the installed
ones. Folders called fixtures or testdata below PATH are left out. A folder with
the name of a command below is ./fix.

Errors are what hosts refuse or what cannot work; warnings what costs the skill
its requests, leads nowhere or may do harm. Remarks are counted; --show info
prints them. Of many findings the five kinds that matter most are printed in
full, of each rule some; --rule ID or --quiet prints all.

Rules, and what to do about each: skillgate lint rules [ID]. A comment
"# skillgate-ignore SG203: reason" in the frontmatter silences a rule for a
skill, "<!-- skillgate-ignore SG507: reason -->" in the body for its line and
the next. "lint: {rules: {SG203: off}}" in skillgate.yaml changes severities.

Where a skill ranks is counted in requests: it is searched for with its own
triggers and the clauses of its description, each taken out of its text first,
with prompts that are known to be meant for it (a trigger-evaluation file in its
folder, the log), and with requests that enrich had a model write. The report
says how many find it first and among the first five, and for one skill which
do not, and who is ahead. Findings are no part of these numbers.

Exit status: 0 nothing at or above --fail-on, 1 findings, 3 failed.`,
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
	fs.StringVar(&f.failOn, "fail-on", "error", "least `SEVERITY` for exit status 1: info, warning, error; off: never")
	fs.StringVar(&f.show, "show", "", "lowest `SEVERITY` that is reported (default warning; info with --json or --sarif)")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print one line per finding")
	fs.BoolVar(&f.noCache, "no-cache", false, "check everything again")
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
		if f.changed != "" && len(res.Skills) == 0 && f.text() {
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
		Listing: func(listed []catalog.Entry) *lint.Listing {
			x := listing.Usual(&hooks.Claude, a.Session(d), listed, a.Now())
			return &lint.Listing{Budget: x.Budget, Dropped: x.Dropped}
		},
	}
}

func jobError(err error, changed string) error {
	var path job.PathError
	switch {
	case errors.As(err, &path) && changed == job.ChangedDefault:
		return app.Hint(err, "put the revision after an equals sign: --changed=REF")
	case errors.As(err, &path):
		return app.Hint(err, "a path is a folder of skills, a skill's folder, a SKILL.md or a .jsonl file")
	case errors.Is(err, job.ErrNoSkills):
		return app.Hint(err, "give a folder of skills, or run lint in a folder with .claude/skills")
	case errors.Is(err, job.ErrNoSkill):
		return app.Hint(err, "give the skill's name or folder; if it is not installed, also its library's folder")
	case errors.Is(err, job.ErrNoRepository):
		return app.Hint(err, "run lint on skills in a git repository, or without --changed")
	}
	return err
}
