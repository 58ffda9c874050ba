package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/atomicfile"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/report"
)

// lintFlags are what `lint` was asked for.
type lintFlags struct {
	libraries     []string
	json          bool
	sarif         bool
	github        bool
	html          string
	fix           bool
	diff          bool
	changed       string
	baseline      string
	writeBaseline string
	failOn        string
	show          string
	only          []string
	stdinPath     string
	rules         bool
	explain       string
	hook          bool
	quiet         bool
	noCache       bool
	triggers      bool
}

// changedDefault is the revision that --changed without one compares with.
const changedDefault = "HEAD"

// text reports whether the result is printed for people.
func (f lintFlags) text() bool { return !f.json && !f.sarif && !f.github && f.html == "" }

func newLintCommand(e *env) *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint [flags] [PATH...]",
		Short: "Say whether skills can be found, and why not",
		Long: `lint checks skills with the gate's own retriever: whether their files are what
hosts read, whether descriptions find them in every language users write in, who
takes their prompts and by which word, and what a reader should see before trusting them.

Without PATH it checks the installed skills. A PATH is a folder of skills, a skill's
folder, a SKILL.md, a .jsonl or .jsonl.gz file, or "-" for one SKILL.md on standard
input. One skill is checked among the installed ones, or among those of --library.

Rules, and what to do about each: skillgate lint --rules, --explain ID. A comment
"# skillgate-ignore SG203: reason" in the frontmatter silences a rule for a skill,
"<!-- skillgate-ignore SG507: reason -->" in the body for its line and the next.
"lint: {rules: {SG204: off}}" in skillgate.yaml changes severities.

A skill's grade adds up four parts: triggers (its own trigger phrases find it),
languages (prompts in every language reach it), distinct (no other skill answers to
its description), text (the description has all its parts and no mistakes).

Exit status: 0 nothing at or above --fail-on, 1 findings, 3 failed.`,
		Example: `  skillgate lint
  skillgate lint ./skills --html report.html
  skillgate lint skills/pdf/SKILL.md --library skills
  skillgate lint skills --changed=origin/main --github
  skillgate lint skills --diff
  skillgate lint --explain SG301`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.hook {
				e.lintHook(cmd.Context())
				return nil
			}
			if f.triggers {
				return e.suggestTriggers(cmd.Context(), args, f.fix)
			}
			return e.lint(cmd.Context(), f, args)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&f.libraries, "library", nil, "check single skills among those of this `PATH`; may be repeated")
	fs.BoolVar(&f.json, "json", false, "print the result as JSON")
	fs.BoolVar(&f.sarif, "sarif", false, "print a SARIF 2.1.0 log")
	fs.BoolVar(&f.github, "github", false, "print annotations for GitHub Actions")
	fs.StringVar(&f.html, "html", "", "write a report to `FILE`, - for standard output")
	fs.BoolVar(&f.fix, "fix", false, "carry out the safe fixes, after printing them as a diff; a text on standard input is only shown")
	fs.BoolVar(&f.diff, "diff", false, "print the safe fixes as a diff and change nothing")
	fs.StringVar(&f.changed, "changed", "", "report only skills that git sees changed, against `REF` (--changed=REF)")
	fs.Lookup("changed").NoOptDefVal = changedDefault
	fs.StringVar(&f.baseline, "baseline", "", "leave out the findings of this `FILE`")
	fs.StringVar(&f.writeBaseline, "write-baseline", "", "write all findings to `FILE` and end with 0")
	fs.StringVar(&f.failOn, "fail-on", "warning", "lowest `SEVERITY` that ends with 1: info, warning, error")
	fs.StringVar(&f.show, "show", "info", "lowest `SEVERITY` that is reported")
	fs.StringSliceVar(&f.only, "rule", nil, "check only the rule with this `ID`; may be repeated")
	fs.StringVar(&f.stdinPath, "stdin-path", "", "the `FILE` whose new text is on standard input")
	fs.BoolVar(&f.rules, "rules", false, "list the rules")
	fs.StringVar(&f.explain, "explain", "", "explain the rule with this `ID`")
	fs.BoolVar(&f.hook, "hook", false, "answer a PostToolUse hook; always ends with 0")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "one line a finding")
	fs.BoolVar(&f.noCache, "no-cache", false, "check everything again")
	fs.BoolVar(&f.triggers, "suggest-triggers", false, "propose trigger phrases for descriptions, from what enrich wrote, as a diff; --fix adds them")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if slices.Contains(e.args, "--hook") {
			return nil // a mistyped hook command is harmless
		}
		return err
	})
	cmd.MarkFlagsMutuallyExclusive("json", "sarif", "github", "diff", "fix")
	cmd.MarkFlagsMutuallyExclusive("changed", "write-baseline") // it would forget all others
	return cmd
}

func (e *env) lint(ctx context.Context, f lintFlags, args []string) error {
	if f.explain != "" {
		return e.explainRule(f.explain)
	}
	failOn, err := lint.ParseSeverity(f.failOn)
	if err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	show, err := lint.ParseSeverity(f.show)
	if err != nil {
		return fmt.Errorf("--show: %w", err)
	}
	d, s, err := e.placesAndSettings()
	if err != nil {
		return err
	}
	o, err := lintOptions(s.Lint.Rules, f.only)
	if err != nil {
		return &exitError{code: 3, err: err, hint: "`skillgate lint --rules` lists the rules"}
	}
	if f.rules {
		return e.listRules(o.Severity, f.json)
	}
	baseline, err := readBaseline(f.baseline)
	if err != nil {
		return err
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // what a large library changes
	job := lintJob{e: e, d: d, settings: s, flags: f, options: o}
	res, err := job.run(ctx, args)
	if err != nil {
		return err
	}
	if f.writeBaseline != "" {
		return e.saveBaseline(f.writeBaseline, res)
	}
	known, gone := baseline.Subtract(res)
	if partly := f.changed != "" || f.only != nil || job.singly; len(gone) > 0 && !partly && !f.quiet {
		fmt.Fprintf(e.stderr, "skillgate: note: %d entries of %s are not found any more; --write-baseline takes them out\n", len(gone), f.baseline)
	}
	if f.fix || f.diff {
		return e.applyFixes(job.library, res, f.fix && !job.stdin)
	}
	status := res.Above(failOn)
	hide(res, show)
	if f.changed != "" && len(res.Skills) == 0 && f.text() {
		fmt.Fprintf(e.stdout, "no skill has changed since %s\n", f.changed)
		return nil
	}
	if err := e.writeReport(f, res, known); err != nil {
		return err
	}
	if status > 0 {
		return &exitError{code: 1}
	}
	return nil
}

// lintOptions turns settings and flags into options.
func lintOptions(rules map[string]string, only []string) (lint.Options, error) {
	severity, err := lint.ParseRules(rules)
	if err != nil {
		return lint.Options{}, err
	}
	o := lint.Options{Severity: severity}
	for _, id := range only {
		r := lint.Find(id)
		if r == nil {
			return o, fmt.Errorf("there is no rule %q", id)
		}
		if o.Rules == nil {
			o.Rules = map[string]bool{}
		}
		o.Rules[r.ID] = true
		if severity[r.ID] == lint.Off {
			delete(severity, r.ID) // asked for by name
		}
	}
	return o, nil
}

// hide takes findings below show out of the list; the counts keep them.
func hide(res *lint.Result, show lint.Severity) {
	res.Findings = slices.DeleteFunc(res.Findings, func(f lint.Finding) bool { return f.Severity < show })
}

func (e *env) writeReport(f lintFlags, res *lint.Result, known int) error {
	if f.html != "" {
		if err := e.writeHTML(f.html, res, known); err != nil {
			return err
		}
		if f.html == "-" {
			return nil
		}
	}
	if f.github || f.sarif {
		e.inWorkspace(res)
	}
	switch {
	case f.json:
		return report.WriteJSON(e.stdout, res, known)
	case f.sarif:
		return report.SARIF(e.stdout, res, report.SARIFOptions{Version: build.Read().Version, Baseline: f.baseline != ""})
	case f.github:
		return report.GitHub(app.Raw(e.stdout), res, known)
	case f.html != "":
		fmt.Fprintln(e.stderr, report.Counts(res.Summary, known))
		return nil
	}
	return report.Text(e.stdout, res, known, report.TextOptions{Color: e.colors(), Quiet: f.quiet, Width: e.columns(), Grade: f.only == nil})
}

// columns is the width of the terminal that standard output is, 0 where it is none.
func (e *env) columns() int {
	out, ok := app.Terminal(e.stdout)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(out.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// inWorkspace names files as GitHub finds them: relative to the checkout, also
// where a step runs in a folder of it.
func (e *env) inWorkspace(res *lint.Result) {
	top := e.getenv("GITHUB_WORKSPACE")
	if top == "" || top == e.cwd {
		return
	}
	rename := func(path *string) {
		file := e.absolute(filepath.FromSlash(*path))
		if *path == "" || !exists(file) || !below(file, top) {
			return
		}
		if rel, err := filepath.Rel(top, file); err == nil {
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

// colors reports whether standard output is a terminal whose user wants colours.
func (e *env) colors() bool {
	_, ok := app.Terminal(e.stdout)
	return ok && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}

func (e *env) writeHTML(file string, res *lint.Result, known int) error {
	if file == "-" {
		return report.HTML(e.stdout, res, known, e.now())
	}
	return e.writeShared(file, func(w io.Writer) error { return report.HTML(w, res, known, e.now()) })
}

// writeShared writes a file that is meant to be passed on.
func (e *env) writeShared(file string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return atomicfile.Write(e.absolute(file), text.Bytes(), atomicfile.Options{Shared: true})
}

func (e *env) explainRule(id string) error {
	r := lint.Find(id)
	if r == nil {
		return &exitError{code: 3, err: fmt.Errorf("there is no rule %q", id), hint: "`skillgate lint --rules` lists the rules"}
	}
	_, err := io.WriteString(e.stdout, r.Explain())
	return err
}

func (e *env) listRules(severity map[string]lint.Severity, asJSON bool) error {
	rules := report.Rules(severity)
	if asJSON {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(rules)
	}
	t := ruledTable(table.Row{"id", "group", "severity", "fix", "mistake"})
	for _, r := range rules {
		fix := ""
		if r.Fixes {
			fix = "yes"
		}
		t.AppendRow(table.Row{r.ID, r.Group, r.Severity, fix, r.Title})
	}
	_, err := fmt.Fprintln(e.stdout, t.Render())
	return err
}

func readBaseline(file string) (lint.Baseline, error) {
	if file == "" {
		return lint.Baseline{}, nil
	}
	r, err := os.Open(file)
	if err != nil {
		return lint.Baseline{}, &exitError{code: 3, err: fmt.Errorf("baseline: %w", err), hint: "skillgate lint --write-baseline " + file + " makes one"}
	}
	defer r.Close()
	b, err := lint.ReadBaseline(r)
	if err != nil {
		return b, fmt.Errorf("%s: %w", file, err)
	}
	return b, nil
}

func (e *env) saveBaseline(file string, res *lint.Result) error {
	b := lint.NewBaseline(res)
	if err := e.writeShared(file, b.Write); err != nil {
		return err
	}
	fmt.Fprintf(e.stderr, "%d findings in %s\n", len(b.Findings), file)
	return nil
}

// errNoSkills says that a path holds nothing to check.
var errNoSkills = errors.New("no skills")

// lintPaths turns what was given into absolute paths; "-" stays.
func (e *env) lintPaths(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = a; a != "-" {
			out[i] = e.absolute(a)
		}
	}
	return out
}

// displayPath is how findings name a file: relative to the folder of the command
// where it lies below it.
func (e *env) displayPath(file string) string {
	if rel, err := filepath.Rel(e.cwd, file); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(rel)
	}
	return file
}
