// Package report writes what lint found: as text with the line and a caret, as
// JSON, as SARIF 2.1.0 and as annotations of GitHub Actions.
//
// All of them print the same findings in the same order: by skill, then by file,
// line, column and rule, and those of the library as a whole at the end. Writers
// return the first error of the stream they write to.
//
// # JSON
//
// `lint --json` writes one object. Fields are added within a version, none changes
// its meaning or goes. Lines and columns count from 1, columns in characters.
//
//	version    4
//	summary    skills; errors, warnings, infos: findings by severity; own: the sum of
//	           score.own; risky: skills with a risk of 0.5 or more
//	rules      findings by rule id
//	skills     list, one for each skill that was checked
//	  id, name, path     id is the folder's path in its library, and unique
//	  findings, errors, warnings    their numbers
//	  score    where it ranks for requests that should find it: own, those of its own
//	           text, each taken out of it when asked; given, known to be meant for it;
//	           written, by a model. Each has asked, and of these first and five: that
//	           find it first, among the first five. missed: list of those that do not
//	           find it first, with prompt, kind (trigger, clause, given, written), place
//	           (31 stands for all beyond 30) and first, the id of the best other skill;
//	           steals: requests of the other skills that find it first; note: why
//	           nothing was asked
//	  risk     0 to 1: what the safety rules found, whether silenced or not
//	findings   list
//	  rule, title        the rule and the mistake it is about
//	  severity           error, warning or info
//	  skill              id of the skill; missing for the library as a whole
//	  path               the file, relative to the command's folder where it is below
//	  line, column       0 or missing for a whole file or line
//	  end_column         one past the last character
//	  excerpt            the line, at most 400 characters of it
//	  message, hint      what is wrong, and what to do
//	  fixable            `skillgate lint fix` does it
//	  fix                how: label, path, and edits, each with start and end in
//	                     bytes, from and to with line and column, and new, the text
//	                     that stands there then
//	  fingerprint        stays while the line does, wherever it moves
//
// `lint rules --json` writes a list of the rules, see RuleJSON.
package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/wording"
)

// JSON is the object printed by `lint --json`.
type JSON struct {
	Version int `json:"version"` // JSONVersion
	*lint.Result
}

// JSONVersion increases when a field changes its meaning or is removed.
const JSONVersion = 4

type writer struct {
	w     io.Writer
	color io.Writer // see TextOptions
	err   error
}

func (w *writer) printf(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.w, format, args...)
	}
}

// Counts returns a one-line summary.
func Counts(s lint.Summary) string {
	var parts []string
	for i, n := range []int{s.Errors, s.Warnings, s.Infos} {
		if n > 0 {
			parts = append(parts, wording.Count(n, []string{"error", "warning", "remark"}[i]))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "no findings") + " in " + wording.Count(s.Skills, "skill")
}
