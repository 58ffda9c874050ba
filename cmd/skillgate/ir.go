package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/gate/ir"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/report"
)

// irFlags are what `ir` was asked for.
type irFlags struct {
	libraries []string
	json      bool
	write     bool
	force     bool
	text      bool
}

func newIRCommand(e *env) *cobra.Command {
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
	cmd.AddCommand(newIRInitCommand(e), newIRCheckCommand(e), newIRRenderCommand(e), newIRDiffCommand(e), newIRSchemaCommand(e))
	return cmd
}

func newIRInitCommand(e *env) *cobra.Command {
	var f irFlags
	cmd := &cobra.Command{
		Use:     "init [flags] SKILL",
		Short:   "Draft intent.yaml from an existing SKILL.md",
		Long:    "init prints a draft made from a SKILL.md: what the skill does not say stays empty.\nWith --write it goes beside SKILL.md, where none is yet. A folder without SKILL.md gets an empty form.",
		Example: "  skillgate ir init skills/pdf\n  skillgate ir init --write skills/pdf",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return e.irInit(f, args[0]) },
	}
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "write the file beside SKILL.md")
	cmd.Flags().BoolVar(&f.force, "force", false, "write over an existing file")
	return cmd
}

func newIRCheckCommand(e *env) *cobra.Command {
	var f irFlags
	cmd := &cobra.Command{
		Use:     "check [flags] SKILL...",
		Short:   "Check intent.yaml: its fields, its triggers among all skills, its description",
		Example: "  skillgate ir check skills/pdf\n  skillgate ir check --library skills skills/pdf skills/docx",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.irCheck(cmd.Context(), f, args) },
	}
	cmd.Flags().StringArrayVar(&f.libraries, "library", nil, "check among the skills of this `PATH` instead of those around")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as JSON")
	return cmd
}

func newIRRenderCommand(e *env) *cobra.Command {
	var f irFlags
	cmd := &cobra.Command{
		Use:     "render [flags] SKILL",
		Short:   "Write the description that follows from intent.yaml",
		Example: "  skillgate ir render skills/pdf",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return e.irRender(f, args[0]) },
	}
	cmd.Flags().BoolVar(&f.text, "text", false, "print the description alone, not the frontmatter field")
	return cmd
}

func newIRDiffCommand(e *env) *cobra.Command {
	var f irFlags
	cmd := &cobra.Command{
		Use:     "diff [flags] SKILL",
		Short:   "Show what intent.yaml and SKILL.md say differently",
		Example: "  skillgate ir diff skills/pdf",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return e.irDiff(f, args[0]) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the differences as JSON")
	return cmd
}

func newIRSchemaCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of intent.yaml, for editors",
		Example: "  skillgate ir schema > intent.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(e.stdout, ir.Schema)
			return err
		},
	}
}

// irSkill finds the SKILL.md that a name or path means; the file may not exist yet
// where its folder does.
func (e *env) irSkill(what string) (string, error) {
	path := e.absolute(what)
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
		d, s, err := e.placesAndSettings()
		if err != nil {
			return "", err
		}
		for _, r := range (&lintJob{e: e, d: d, settings: s}).installedRoots() {
			if file := filepath.Join(r.Path, what, "SKILL.md"); exists(file) {
				return file, nil
			}
		}
	}
	return "", &exitError{code: 3, err: fmt.Errorf("%s: no such skill", what), hint: "give its folder, or the name of an installed skill"}
}

// irLoad reads a skill for ir, with its intent.yaml.
func (e *env) irLoad(what string) (*lint.Skill, error) {
	file, err := e.irSkill(what)
	if err != nil {
		return nil, err
	}
	about := (&lintJob{e: e}).folder(filepath.Dir(filepath.Dir(file)))
	if !exists(file) {
		return lint.Overlay(about.roots[0], file, nil, e.displayPath), nil
	}
	s := lint.LoadFile(about.roots[0], file, e.displayPath)
	return s, s.Err
}

// irNeed is irLoad for commands that need an intent.yaml.
func (e *env) irNeed(what string) (*lint.Skill, error) {
	s, err := e.irLoad(what)
	switch {
	case err != nil:
		return nil, err
	case s.IRErr != nil:
		return nil, fmt.Errorf("%s: %w", e.displayPath(s.Dir), s.IRErr)
	case s.IR == nil:
		return nil, &exitError{code: 3, err: fmt.Errorf("%s has no %s", e.displayPath(s.Dir), ir.File), hint: "skillgate ir init --write " + what + " drafts one"}
	}
	return s, nil
}

func (e *env) irInit(f irFlags, what string) error {
	s, err := e.irLoad(what)
	if err != nil {
		return err
	}
	_, settings, err := e.placesAndSettings()
	if err != nil {
		return err
	}
	draft := ir.Draft(s.Entry, s.Files)
	if f.write {
		file := filepath.Join(s.Dir, ir.File)
		if exists(file) && !f.force {
			return &exitError{code: 3, err: fmt.Errorf("%s exists", e.displayPath(file)), hint: "--force writes over it"}
		}
		if err := e.writeShared(file, draft.Encode); err != nil {
			return err
		}
		fmt.Fprintf(e.stderr, "wrote %s\n", e.displayPath(file))
	} else if err := draft.Encode(e.stdout); err != nil {
		return err
	}
	for _, p := range draft.Validate(settings.Lint.Languages, s.Has) {
		fmt.Fprintf(e.stderr, "to do: %s\n", p.Text)
	}
	return nil
}

func (e *env) irCheck(ctx context.Context, f irFlags, args []string) error {
	flags := lintFlags{json: f.json, failOn: "warning", show: "info", libraries: f.libraries, noCache: true}
	for _, r := range lint.All {
		if r.Group == lint.GroupIntent {
			flags.only = append(flags.only, r.ID)
		}
	}
	var paths []string
	found := false
	for _, what := range args {
		s, err := e.irLoad(what)
		if err != nil {
			return err
		}
		if s.IR == nil && s.IRErr == nil {
			return &exitError{code: 3, err: fmt.Errorf("%s has no %s", e.displayPath(s.Dir), ir.File), hint: "skillgate ir init --write " + what + " drafts one"}
		}
		if exists(s.Path) {
			paths = append(paths, s.Path)
			continue
		}
		var status *exitError
		switch err := e.irPlanned(ctx, flags, s); {
		case errors.As(err, &status) && status.code == 1:
			found = true
		case err != nil:
			return err
		}
	}
	if paths != nil {
		if err := e.lint(ctx, flags, paths); err != nil {
			return err
		}
	}
	if found {
		return &exitError{code: 1}
	}
	return nil
}

// irPlanned checks the design of a skill that is not written yet, among the skills
// around it, as the skill with the description that follows from the design.
func (e *env) irPlanned(ctx context.Context, flags lintFlags, s *lint.Skill) error {
	front := map[string]string{"name": filepath.Base(s.Dir)}
	if s.IR != nil {
		front["description"], _ = s.IR.Render()
	}
	text, err := yaml.Marshal(front)
	if err != nil {
		return err
	}
	planned := *e
	planned.stdin = strings.NewReader("---\n" + string(text) + "---\n")
	flags.stdinPath = filepath.Join(s.Dir, "SKILL.md")
	return planned.lint(ctx, flags, []string{"-"})
}

func (e *env) irRender(f irFlags, what string) error {
	s, err := e.irNeed(what)
	if err != nil {
		return err
	}
	problems := s.IR.Validate(nil, s.Has)
	if strings.TrimSpace(s.IR.Intent) == "" {
		return &exitError{code: 1, err: errors.New(problems[0].Text), hint: "skillgate ir check " + what + " lists all problems"}
	}
	if n := len(problems); n > 0 {
		fmt.Fprintf(e.stderr, "skillgate: note: the design has %s: skillgate ir check %s\n", report.Plural(n, "problem"), what)
	}
	text, left := s.IR.Render()
	if left > 0 {
		fmt.Fprintf(e.stderr, "skillgate: note: %d triggers or boundaries are left out: the description ends at %d characters\n", left, ir.MaxDescription)
	}
	if f.text {
		fmt.Fprintln(e.stdout, text)
		return nil
	}
	enc := yaml.NewEncoder(e.stdout)
	enc.SetIndent(2)
	if err := enc.Encode(yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Value: "description"},
		{Kind: yaml.ScalarNode, Style: yaml.FoldedStyle, Value: text},
	}}); err != nil {
		return err
	}
	return enc.Close()
}

func (e *env) irDiff(f irFlags, what string) error {
	s, err := e.irNeed(what)
	if err != nil {
		return err
	}
	list := s.IR.Compare(s.Entry)
	if list == nil {
		list = []ir.Difference{}
	}
	if f.json {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(list); err != nil {
			return err
		}
	} else {
		for _, d := range list {
			fmt.Fprintln(e.stdout, d)
		}
		if rendered, _ := s.IR.Render(); len(list) > 0 {
			fmt.Fprintf(e.stdout, "\n%s", diff.Diff(s.Src.Path+" (description)", paragraphs(s.Text()), ir.File+" (rendered)", paragraphs(rendered)))
		}
	}
	if len(list) > 0 {
		return &exitError{code: 1}
	}
	return nil
}

// paragraphs puts each sentence on a line, so that a diff shows what differs.
func paragraphs(text string) []byte {
	return []byte(strings.NewReplacer(". ", ".\n", "! ", "!\n", "? ", "?\n").Replace(strings.Join(strings.Fields(text), " ")) + "\n")
}
