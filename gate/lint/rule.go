// Package lint checks whether a skill can be read, found and trusted, and recommends changes.
//
// A Rule is a check with a file in text/ that documents it: title, reason, advice, and two small example libraries, one
// reported and one not. All lists the rules in the order of their IDs; the documentation (RULES.md), `lint rules ID`
// and the SARIF output print the same texts. IDs are never reused:
//
//	SG1xx  format        files that hosts reject or partly ignore, or that violate the specification
//	SG2xx  description   weaknesses of descriptions
//	SG3xx  measured      how the gate's own retriever ranks the skill
//	SG4xx  library       problems of the collection as a whole
//	SG5xx  safety        dangers to review before trusting the skill
//	SG6xx  intent        differences between intent.yaml and SKILL.md
//
// A Library holds the skills as catalog reads them, each with its source text and positions. Run checks it and returns
// a Result with the findings in the order of files and lines, and the score and risk of each skill. Rules never write
// files; Apply computes the fixed text, and the command writes it.
package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/safety"
	"github.com/skillgate/skillgate/gate/lint/source"
)

// Severity is the severity of a finding. The zero value is Off.
type Severity uint8

const (
	Off     Severity = iota // not checked
	Info                    // worth knowing; never fails a run
	Warning                 // the skill is harder to find or to trust than necessary
	Error                   // a host refuses, ignores or misreads the skill
)

var severityNames = [...]string{"off", "info", "warning", "error"}

// String returns the severity's name in settings and output.
func (s Severity) String() string { return severityNames[s] }

// MarshalText encodes a severity as its name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText decodes a severity's name.
func (s *Severity) UnmarshalText(b []byte) error {
	v, err := ParseSeverity(string(b))
	*s = v
	return err
}

// ParseSeverity returns the severity of that name.
func ParseSeverity(name string) (Severity, error) {
	if i := slices.Index(severityNames[:], name); i >= 0 {
		return Severity(i), nil
	}
	return Off, fmt.Errorf("the severity is %q but must be off, info, warning or error", name)
}

// Rule is one kind of mistake. Text returns its documentation.
type Rule struct {
	ID       string
	Severity Severity // default; settings may override it
	Fixes    bool     // some findings come with a fix
	Risk     float64  // probability, 0 to 1, that a skill with such a finding does harm
	NeedsAll bool     // needs all skills of the library, not just one
	Choice   bool     // reported as Info if most skills have such a finding, because it is then intended

	// At most one of Check, Within and Danger is set. Whole may be set too.
	Check  func(s *Skill, report Report)             // checks one skill
	Within func(l *Library, s *Skill, report Report) // checks one skill against the others
	Whole  func(l *Library, report Report)           // checks the whole library once
	Danger safety.Check                              // checks the text of a skill and its scripts
}

// Group returns the rule's family, given by the hundreds digit of its ID.
func (r *Rule) Group() string {
	return [...]string{"format", "description", "measured", "library", "safety", "intent"}[r.ID[2]-'1']
}

// Report receives the problems that a check finds.
type Report func(Problem)

func (r Report) at(p source.Place, format string, args ...any) {
	r(Problem{At: p, Text: fmt.Sprintf(format, args...)})
}

// Problem is one occurrence of a mistake.
type Problem struct {
	At   source.Place
	Text string  // description of the problem, with the value and the limit
	Hint string  // advice; if empty, the rule's Advice applies
	Fix  *Fix    // a safe change, or nil
	Risk float64 // replaces the rule's risk unless 0

	Cause    string   // shared with other problems of the collection; "" for a cause of its own
	Severity Severity // replaces the rule's severity unless Off; settings take precedence
}

// when returns s if the condition holds, and otherwise Off, which leaves a problem the severity of its rule.
func (s Severity) when(holds bool) Severity {
	if holds {
		return s
	}
	return Off
}

// Fix is a change to a SKILL.md. Findings contain it in the form of a Change.
type Fix struct {
	Label string
	Edits []Edit
}

// Edit replaces the bytes from Start up to End of a SKILL.md.
type Edit struct {
	Start, End int
	New        string
}

// All lists every rule in the order of IDs.
var All = []*Rule{
	sg100, sg101, sg102, sg103, sg104, sg105, sg106, sg107, sg108, sg109, sg110, sg111, sg113, sg114, sg117, sg118,
	sg119, sg123, sg124, sg125, sg126, sg128, sg129, sg134, sg136, sg137, sg144, sg145, sg147, sg148, sg203,
	sg206, sg213, sg301, sg305, sg405, sg501, sg502, sg503, sg504, sg505, sg506, sg507, sg508, sg509, sg510, sg511,
	sg512, sg601, sg602, sg603, sg604,
}

// Find returns the rule with that ID, or nil.
func Find(id string) *Rule {
	for _, r := range All {
		if strings.EqualFold(r.ID, id) {
			return r
		}
	}
	return nil
}

// ByID is like Find but returns an error if there is no such rule.
func ByID(id string) (*Rule, error) {
	if r := Find(id); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("unknown rule %q; `skillgate lint rules` lists all rules", id)
}
