// Package ir is the commands about intent.yaml, the design of a skill.
package ir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/ir"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/lint/report"
)

// options are what `ir` was asked for.
type options struct {
	libraries []string
	json      bool
	write     bool
	force     bool
	text      bool
}

// New returns the command with those below it.
func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ir",
		Short: "Design a skill before it is written: intent.yaml",
		Long: `ir works on intent.yaml, the design of a skill beside its SKILL.md: the one problem
it solves, what users say in each language, inputs, outputs, boundaries with the
skill that does it instead, and the files it needs.

SKILL is a skill's folder, its SKILL.md, or the name of an installed skill.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newInit(a), newCheck(a), newRender(a), newDiff(a), newSchema(a))
	return cmd
}

func newInit(a *app.App) *cobra.Command {
	var f options
	cmd := &cobra.Command{
		Use:   "init [flags] SKILL",
		Short: "Draft intent.yaml from an existing SKILL.md",
		Long: `init prints a draft made from a SKILL.md: what the skill does not say stays empty.
With --write it goes beside SKILL.md, where none is yet. A folder without SKILL.md gets
an empty form.`,
		Example: "  skillgate ir init skills/pdf\n  skillgate ir init --write skills/pdf",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return runInit(a, f, args[0]) },
	}
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "write the file beside SKILL.md")
	cmd.Flags().BoolVar(&f.force, "force", false, "write over an existing file")
	return cmd
}

func newCheck(a *app.App) *cobra.Command {
	var f options
	cmd := &cobra.Command{
		Use:     "check [flags] SKILL...",
		Short:   "Check intent.yaml: its fields, its triggers among all skills, its description",
		Example: "  skillgate ir check skills/pdf\n  skillgate ir check --library skills skills/pdf skills/docx",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return check(cmd.Context(), a, f, args) },
	}
	cmd.Flags().StringArrayVar(&f.libraries, "library", nil,
		"check among the skills of this `PATH` instead of those around")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as JSON")
	return cmd
}

func newRender(a *app.App) *cobra.Command {
	var f options
	cmd := &cobra.Command{
		Use:     "render [flags] SKILL",
		Short:   "Write the description that follows from intent.yaml",
		Example: "  skillgate ir render skills/pdf",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return render(a, f, args[0]) },
	}
	cmd.Flags().BoolVar(&f.text, "text", false, "print the description alone, not the frontmatter field")
	return cmd
}

func newDiff(a *app.App) *cobra.Command {
	var f options
	cmd := &cobra.Command{
		Use:     "diff [flags] SKILL",
		Short:   "Show what intent.yaml and SKILL.md say differently",
		Example: "  skillgate ir diff skills/pdf",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return runDiff(a, f, args[0]) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the differences as JSON")
	return cmd
}

func newSchema(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of intent.yaml, for editors",
		Example: "  skillgate ir schema > intent.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(a.Stdout, ir.Schema)
			return err
		},
	}
}

// locate finds the SKILL.md that a name or path means; the file may not exist yet
// where its folder does.
func locate(a *app.App, what string) (string, error) {
	path := a.Absolute(what)
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return filepath.Join(path, "SKILL.md"), nil
		case filepath.Base(path) == ir.File:
			return filepath.Join(filepath.Dir(path), "SKILL.md"), nil
		}
		return path, nil
	}
	if !strings.ContainsRune(what, filepath.Separator) {
		d, s, err := a.PlacesAndSettings()
		if err != nil {
			return "", err
		}
		for _, r := range job.InstalledRoots(d, a.Cwd, s.Libraries) {
			if file := filepath.Join(r.Path, what, "SKILL.md"); exists(file) {
				return file, nil
			}
		}
	}
	return "", app.Fail("give its folder, or the name of an installed skill", "%s: no such skill", what)
}

// load reads a skill for ir, with its intent.yaml.
func load(a *app.App, what string) (*lint.Skill, error) {
	file, err := locate(a, what)
	if err != nil {
		return nil, err
	}
	root := catalog.LibraryRoot(filepath.Dir(filepath.Dir(file)))
	if !exists(file) {
		return lint.Overlay(root, file, nil, a.Display), nil
	}
	s := lint.LoadFile(root, file, a.Display)
	return s, s.Err
}

// need is irLoad for commands that need an intent.yaml.
func need(a *app.App, what string) (*lint.Skill, error) {
	s, err := load(a, what)
	switch {
	case err != nil:
		return nil, err
	case s.IRErr != nil:
		return nil, fmt.Errorf("%s: %w", a.Display(s.Dir), s.IRErr)
	case s.IR == nil:
		return nil, app.Fail("skillgate ir init --write "+what+" drafts one", "%s has no %s", a.Display(s.Dir), ir.File)
	}
	return s, nil
}

func runInit(a *app.App, f options, what string) error {
	s, err := load(a, what)
	if err != nil {
		return err
	}
	_, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	draft := ir.Draft(s.Entry, s.Files)
	if f.write {
		file := filepath.Join(s.Dir, ir.File)
		if exists(file) && !f.force {
			return app.Fail("--force writes over it", "%s exists", a.Display(file))
		}
		if err := a.WriteShared(file, draft.Encode); err != nil {
			return err
		}
		fmt.Fprintf(a.Stderr, "wrote %s\n", a.Display(file))
	} else if err := draft.Encode(a.Stdout); err != nil {
		return err
	}
	for _, p := range draft.Validate(settings.Lint.Languages, s.Has) {
		fmt.Fprintf(a.Stderr, "to do: %s\n", p.Text)
	}
	return nil
}

func check(ctx context.Context, a *app.App, f options, args []string) error {
	var paths []string
	found := false
	for _, what := range args {
		s, err := load(a, what)
		if err != nil {
			return err
		}
		if s.IR == nil && s.IRErr == nil {
			return app.Fail("skillgate ir init --write "+what+" drafts one", "%s has no %s", a.Display(s.Dir), ir.File)
		}
		if exists(s.Path) {
			paths = append(paths, s.Path)
			continue
		}
		var status *app.Error
		switch err := checkPlanned(ctx, a, f, s); {
		case errors.As(err, &status) && status.Code == 1:
			found = true
		case err != nil:
			return err
		}
	}
	if paths != nil {
		if err := runRules(ctx, a, f, a.Stdin, "", paths); err != nil {
			return err
		}
	}
	if found {
		return app.ErrFindings
	}
	return nil
}

// checkPlanned checks the design of a skill that is not written yet, among the skills
// around it, as the skill with the description that follows from the design.
func checkPlanned(ctx context.Context, a *app.App, f options, s *lint.Skill) error {
	front := map[string]string{"name": filepath.Base(s.Dir)}
	if s.IR != nil {
		front["description"], _ = s.IR.Render()
	}
	text, err := yaml.Marshal(front)
	if err != nil {
		return err
	}
	planned := strings.NewReader("---\n" + string(text) + "---\n")
	return runRules(ctx, a, f, planned, filepath.Join(s.Dir, "SKILL.md"), []string{"-"})
}

// runRules runs the rules about a design on paths, of which "-" is text of path.
func runRules(ctx context.Context, e *app.App, f options, text io.Reader, path string, paths []string) error {
	d, s, err := e.PlacesAndSettings()
	if err != nil {
		return err
	}
	var only []string
	for _, r := range lint.All {
		if r.Group() == "intent" {
			only = append(only, r.ID)
		}
	}
	o, err := lint.OptionsFor(s.Lint.Rules, only)
	if err != nil {
		return app.Hint(err, "`skillgate lint rules` lists the rules")
	}
	a := e
	j := job.Job{
		Dirs: d, Cwd: a.Cwd, Settings: s, Options: o, Open: a.Workspace(d, s), Stdin: text, Now: a.Now, Display: a.Display,
		Libraries: f.libraries, StdinPath: path, NoCache: true,
		Usage: func(context.Context) map[string]lint.Usage { return nil },
	}
	res, err := j.Run(ctx, paths)
	if err != nil {
		return app.OpenError(err)
	}
	status := res.Above(lint.Warning)
	if f.json {
		err = report.WriteJSON(e.Stdout, res, 0)
	} else {
		err = report.Text(e.Stdout, res, 0, report.TextOptions{Color: a.Colour(e.Stdout), Width: a.Columns()})
	}
	if err == nil && status > 0 {
		return app.ErrFindings
	}
	return err
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func render(a *app.App, f options, what string) error {
	s, err := need(a, what)
	if err != nil {
		return err
	}
	problems := s.IR.Validate(nil, s.Has)
	if strings.TrimSpace(s.IR.Intent) == "" {
		return &app.Error{Code: app.StatusFindings, Err: errors.New(problems[0].Text),
			Hint: "skillgate ir check " + what + " lists all problems"}
	}
	if n := len(problems); n > 0 {
		a.Note("the design has %s: skillgate ir check %s", report.Plural(n, "problem"), what)
	}
	text, left := s.IR.Render()
	if left > 0 {
		a.Note("%d triggers or boundaries are left out: the description ends at %d characters", left, ir.MaxDescription)
	}
	if f.text {
		fmt.Fprintln(a.Stdout, text)
		return nil
	}
	enc := yaml.NewEncoder(a.Stdout)
	enc.SetIndent(2)
	if err := enc.Encode(yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Value: "description"},
		{Kind: yaml.ScalarNode, Style: yaml.FoldedStyle, Value: text},
	}}); err != nil {
		return err
	}
	return enc.Close()
}

func runDiff(a *app.App, f options, what string) error {
	s, err := need(a, what)
	if err != nil {
		return err
	}
	list := s.IR.Compare(s.Entry)
	if list == nil {
		list = []ir.Difference{}
	}
	if f.json {
		if err := a.PrintJSON(list); err != nil {
			return err
		}
	} else {
		for _, d := range list {
			fmt.Fprintln(a.Stdout, d)
		}
		if rendered, _ := s.IR.Render(); len(list) > 0 {
			fmt.Fprintf(a.Stdout, "\n%s", diff.Diff(s.Src.Path+" (description)", paragraphs(s.Text()), ir.File+" (rendered)",
				paragraphs(rendered)))
		}
	}
	if len(list) > 0 {
		return app.ErrFindings
	}
	return nil
}

// paragraphs puts each sentence on a line, so that a diff shows what differs.
func paragraphs(text string) []byte {
	return []byte(strings.NewReplacer(". ", ".\n", "! ", "!\n", "? ", "?\n").Replace(strings.Join(strings.Fields(text),
		" ")) + "\n")
}
