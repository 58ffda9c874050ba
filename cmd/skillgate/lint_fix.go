package main

import (
	"fmt"
	"os"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/report"
)

// applyFixes prints the safe fixes as a diff and, with write, carries them out.
func (e *env) applyFixes(l *lint.Library, res *lint.Result, write bool) error {
	by := map[string][]lint.Finding{}
	for _, f := range res.Findings {
		if f.Fix != nil {
			by[f.Skill] = append(by[f.Skill], f)
		}
	}
	files, fixed := 0, 0
	for _, s := range l.Skills {
		text, done := lint.Apply(s.Src.Text, by[s.ID])
		if len(done) == 0 {
			continue
		}
		fmt.Fprintf(e.stdout, "%s", diff.Diff(s.Src.Path, []byte(s.Src.Text), s.Src.Path+" (fixed)", []byte(text)))
		files, fixed = files+1, fixed+len(done)
		if !write || s.Path == "" {
			continue
		}
		if err := rewrite(s.Path, s.Src.Text, text); err != nil {
			return err
		}
	}
	verb := "would fix"
	if write {
		verb = "fixed"
	}
	fmt.Fprintf(e.stderr, "%s %d findings in %d files; %s\n", verb, fixed, files, report.Counts(res.Summary, 0))
	if fixed > 0 && !write {
		return &exitError{code: 1}
	}
	return nil
}

// rewrite replaces the text of a file that still is what was checked, and keeps
// its mode. A file reached through a link stays one.
func rewrite(file, old, text string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	now, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if string(now) != old {
		return fmt.Errorf("%s: changed since it was checked; nothing was written to it", file)
	}
	return os.WriteFile(file, []byte(text), info.Mode().Perm())
}
