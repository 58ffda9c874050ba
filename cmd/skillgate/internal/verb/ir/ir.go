// Package ir implements the commands for intent.yaml, the design of a skill.
package ir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/ir"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/lint/report"
	"github.com/skillgate/skillgate/gate/wording"
)

type options struct {
	App       *app.App
	Skills    []string
	Libraries []string // flag of check
	JSON      bool     // flag of check
	Write     bool     // flag of init
}

func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ir",
		Short: "Design a skill in intent.yaml before writing it",
		Long: `ir works on intent.yaml, a file next to SKILL.md that describes the design of a
skill: the one problem that it solves, what users say in each language, inputs,
outputs, tasks that belong to other skills, and the files that it needs.

SKILL is a skill's folder, its SKILL.md, or the name of an installed skill.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	type work func(context.Context, *options) error
	add := func(use, short, example string, args cobra.PositionalArgs, do work) (*cobra.Command, *options) {
		o := &options{App: a}
		sub := &cobra.Command{Use: use, Short: short, Example: example, Args: args,
			RunE: func(cmd *cobra.Command, skills []string) error {
				o.Skills = skills
				return do(cmd.Context(), o)
			}}
		cmd.AddCommand(sub)
		return sub, o
	}
	sub, o := add("init [flags] SKILL", "Draft intent.yaml from an existing SKILL.md",
		"  skillgate ir init skills/pdf\n  skillgate ir init --write skills/pdf", cobra.ExactArgs(1), runInit)
	sub.Long = `init drafts intent.yaml from a SKILL.md and leaves unknown fields empty. It prints the
draft, or writes it next to SKILL.md with --write unless the file exists. For a folder
without SKILL.md, the draft is an empty form.`
	sub.Flags().BoolVarP(&o.Write, "write", "w", false, "write intent.yaml next to SKILL.md")

	sub, o = add("check [flags] SKILL...", "Check the fields of intent.yaml and whether its triggers find the skill",
		"  skillgate ir check skills/pdf\n  skillgate ir check --library skills skills/pdf skills/docx",
		cobra.MinimumNArgs(1), check)
	sub.Flags().StringArrayVar(&o.Libraries, "library", nil,
		"compare with the skills in this `PATH`; may be repeated (default: the same skills as for lint)")
	sub.Flags().BoolVar(&o.JSON, "json", false, "print the result as JSON")

	add("render SKILL", "Print the description generated from intent.yaml",
		"  skillgate ir render skills/pdf", cobra.ExactArgs(1), render)

	add("schema", "Print the JSON Schema of intent.yaml, for editors",
		"  skillgate ir schema > intent.schema.json", cobra.NoArgs, func(context.Context, *options) error {
			_, err := io.WriteString(a.Data(), ir.Schema)
			return err
		})
	return cmd
}

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
	return "", app.Fail("give the folder of a skill or the name of an installed skill", "%s: no such skill", what)
}

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

func need(a *app.App, what string) (*lint.Skill, error) {
	s, err := load(a, what)
	switch {
	case err != nil:
		return nil, err
	case s.IRErr != nil:
		return nil, fmt.Errorf("%s: %w", a.Display(s.Dir), s.IRErr)
	case s.IR == nil:
		return nil, app.Fail("`skillgate ir init --write "+what+"` drafts it", "%s has no %s", a.Display(s.Dir), ir.File)
	}
	return s, nil
}

func runInit(_ context.Context, f *options) error {
	a, what := f.App, f.Skills[0]
	s, err := load(a, what)
	if err != nil {
		return err
	}
	_, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	draft := ir.Draft(s.Entry, s.Files, settings.Lint.Languages)
	if f.Write {
		file := filepath.Join(s.Dir, ir.File)
		if exists(file) {
			return app.Fail("remove the file first, or omit --write to print the draft", "%s already exists", a.Display(file))
		}
		if err := a.WriteShared(file, draft.Encode); err != nil {
			return err
		}
		fmt.Fprintf(a.Stderr, "wrote %s\n", a.Display(file))
	} else if err := draft.Encode(a.Data()); err != nil {
		return err
	}
	for _, p := range draft.Validate(settings.Lint.Languages, s.Has) {
		fmt.Fprintf(a.Stderr, "to do: %s\n", p.Text)
	}
	return nil
}

func check(ctx context.Context, f *options) error {
	a := f.App
	var paths []string
	found := false
	for _, what := range f.Skills {
		s, err := load(a, what)
		if err != nil {
			return err
		}
		if s.IR == nil && s.IRErr == nil {
			return app.Fail("`skillgate ir init --write "+what+"` drafts it", "%s has no %s", a.Display(s.Dir), ir.File)
		}
		if exists(s.Path) {
			paths = append(paths, s.Path)
			continue
		}
		var status *app.Error
		switch err := checkPlanned(ctx, f, s); {
		case errors.As(err, &status) && status.Code == 1:
			found = true
		case err != nil:
			return err
		}
	}
	if paths != nil {
		if err := runRules(ctx, f, a.Stdin, "", paths); err != nil {
			return err
		}
	}
	if found {
		return app.ErrFindings
	}
	return nil
}

// checkPlanned checks the design of a skill that has no SKILL.md yet. The description rendered from the design is
// checked among the other skills.
func checkPlanned(ctx context.Context, f *options, s *lint.Skill) error {
	front := map[string]string{"name": filepath.Base(s.Dir)}
	if s.IR != nil {
		front["description"], _ = s.IR.Render()
	}
	text, err := yaml.Marshal(front)
	if err != nil {
		return err
	}
	planned := strings.NewReader("---\n" + string(text) + "---\n")
	return runRules(ctx, f, planned, filepath.Join(s.Dir, "SKILL.md"), []string{"-"})
}

func runRules(ctx context.Context, f *options, text io.Reader, path string, paths []string) error {
	a := f.App
	d, s, err := a.PlacesAndSettings()
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
	j := job.Job{
		Dirs: d, Cwd: a.Cwd, Settings: s, Options: o, Open: a.Workspace(d, s), Stdin: text, Now: a.Now, Display: a.Display,
		Libraries: f.Libraries, StdinPath: path, NoCache: true, Designs: true,
		Usage: func(context.Context) map[string]lint.Usage { return nil },
	}
	res, err := j.Run(ctx, paths)
	if err != nil {
		return err
	}
	status := res.Above(lint.Warning)
	if f.JSON {
		err = report.WriteJSON(a.Data(), res)
	} else {
		err = report.Text(a.Stdout, res, report.TextOptions{Color: a.Colours(a.Stdout), Width: a.Columns(), All: true})
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

func render(_ context.Context, f *options) error {
	a, what := f.App, f.Skills[0]
	s, err := need(a, what)
	if err != nil {
		return err
	}
	problems := s.IR.Validate(nil, s.Has)
	if strings.TrimSpace(s.IR.Intent) == "" {
		return &app.Error{Code: app.StatusFindings, Err: errors.New(problems[0].Text),
			Hint: "`skillgate ir check " + what + "` lists all problems"}
	}
	if n := len(problems); n > 0 {
		a.Note("intent.yaml has %s; `skillgate ir check %s` lists them", wording.Count(n, "problem"), what)
	}
	text, left := s.IR.Render()
	if left > 0 {
		a.Note("triggers and boundaries left out: %d; a description is limited to %d characters", left,
			ir.MaxDescription)
	}
	enc := yaml.NewEncoder(a.Data())
	enc.SetIndent(2)
	if err := enc.Encode(yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Value: "description"},
		{Kind: yaml.ScalarNode, Style: yaml.FoldedStyle, Value: text},
	}}); err != nil {
		return err
	}
	return enc.Close()
}
