// Package report writes lint's findings as text with source lines, as JSON, as SARIF 2.1.0 and as annotations for
// GitHub Actions.
//
// All formats contain the same findings in the same order: by skill, file, line, column and rule. Findings about the
// library as a whole come last. Writers return the first write error.
//
// # JSON
//
// `lint --json` writes one object. Within a version, fields may be added, but none is removed or changes its meaning.
// Lines and columns are 1-based; columns count characters.
//
//	version    4
//	summary    skills; errors, warnings, infos: findings by severity; own: the sum of
//	           score.own; risky: skills with a risk of 0.5 or more
//	rules      findings by rule id
//	skills     list of the checked skills
//	  id, name, path     id is the folder's path in its library, and unique
//	  findings, errors, warnings    number of each
//	  score    how it ranks for requests that should find it. own: requests from its own
//	           text, each removed from the text while it is tried; given: requests known
//	           to be meant for it; written: requests written by a model. Each counts the
//	           requests (asked) and those that find the skill first (first) or among the
//	           first five (five). missed: list of requests that do not find it first,
//	           with prompt, kind (trigger, clause, given, written), place (31 means
//	           beyond 30) and first, the id of the best other skill; steals: number of
//	           other skills' requests that find it first; note: why it has no requests
//	  risk     probability of harm, 0 to 1; silenced findings count too
//	findings   list
//	  rule, title        id of the rule and short name of the mistake
//	  severity           error, warning or info
//	  skill              id of the skill; missing for findings about the whole library
//	  path               the file, relative to the working directory if below it
//	  line, column       0 or missing if the finding is about a whole file or line
//	  end_column         one past the last character
//	  excerpt            at most 400 characters of the line
//	  message, hint      the problem and the remedy
//	  fixable            `skillgate lint fix` can fix it
//	  fix                label, path, and edits; each edit has start and end in bytes,
//	                     from and to with line and column, and the new text
//	  fingerprint        depends on the line's text but not on its position in the file
//
// `lint rules --json` writes a list of RuleJSON.
package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/wording"
)

// JSON is the object printed by `lint --json`.
type JSON struct {
	Version int `json:"version"` // always JSONVersion
	*lint.Result
}

// JSONVersion increases when a field changes its meaning or is removed.
const JSONVersion = 4

// WriteJSON writes a result as one JSON object.
func WriteJSON(out io.Writer, res *lint.Result) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(JSON{JSONVersion, res})
}

// RuleJSON is one element of the output of `lint rules --json`.
type RuleJSON struct {
	ID       string        `json:"id"`
	Group    string        `json:"group"`
	Severity lint.Severity `json:"severity"` // severity after settings are applied
	Fixes    bool          `json:"fixes"`
	Risk     float64       `json:"risk,omitempty"`
	*lint.Text
}

// Rules lists every rule with its effective severity.
func Rules(severity map[string]lint.Severity) []RuleJSON {
	out := make([]RuleJSON, 0, len(lint.All))
	for _, r := range lint.All {
		one := RuleJSON{ID: r.ID, Group: r.Group(), Severity: r.Severity, Fixes: r.Fixes, Risk: r.Risk, Text: r.Text()}
		if v, ok := severity[r.ID]; ok {
			one.Severity = v
		}
		out = append(out, one)
	}
	return out
}

type writer struct {
	w     io.Writer
	color io.Writer // TextOptions.Color
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
