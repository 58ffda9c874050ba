// Package lint tells the author of a skill whether it can be read, found and
// trusted, and what to change where it cannot.
//
// A Rule is a check, and a file of text/ with what is written about it: title, reason,
// advice, and two small libraries, one that it reports and one that it does not. All
// lists the rules in the order of their ids; the documentation (RULES.md), `lint
// rules ID` and the SARIF output print the same words. Ids are never reused:
//
//	SG1xx  format        what hosts and the Agent Skills specification refuse or ignore
//	SG2xx  description   what a description lacks in whatever language it is written
//	SG3xx  measured      what the gate's own retriever says about it
//	SG4xx  library       what is wrong with the collection as a whole
//	SG5xx  safety        what a reader should see before trusting the skill
//	SG6xx  intent        what intent.yaml and SKILL.md say differently
//
// A Library is what is checked: skills as catalog reads them, each with its
// source text and positions. Run checks it and returns a Result, which holds the
// findings in the order of files and lines, and the places and risk of each skill. Rules
// read; only Apply computes new text, and only the command writes it.
//
// Package safety finds the dangers that the SG5xx rules report, package measure asks the retriever, and package source
// has the lines and places that all of them speak of.
package lint

import (
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/gate/lint/safety"
	"github.com/skillgate/skillgate/gate/lint/source"
)

// Severity says how bad a finding is. The zero value is Off.
type Severity uint8

const (
	Off     Severity = iota // not checked
	Info                    // worth knowing; does not fail a run
	Warning                 // the skill is harder to find or to trust than it need be
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
	return Off, fmt.Errorf("severity %q, want off, info, warning or error", name)
}

// Rule is one mistake that can be found. Text has what is written about it.
type Rule struct {
	ID       string
	Severity Severity // unless settings say otherwise
	Fixes    bool     // some findings come with a fix
	Risk     float64  // the chance that a skill with such a finding does harm, 0 to 1
	NeedsAll bool     // it is right only where all skills of the library are there, not one alone
	Choice   bool     // a remark where most skills of the library have it: its authors want it so

	// Exactly one of the checks is set.
	Check  func(s *Skill, report Report)             // looks at one skill
	Within func(l *Library, s *Skill, report Report) // looks at one skill among the others
	Whole  func(l *Library, report Report)           // looks at the library, once
	Danger safety.Check                              // looks at what one skill and its scripts say
}

// Group is the family of the rule: the hundred of its id.
func (r *Rule) Group() string {
	return [...]string{"format", "description", "measured", "library", "safety", "intent"}[r.ID[2]-'1']
}

// Report takes what a check has found.
type Report func(Problem)

func (r Report) at(p source.Place, format string, args ...any) {
	r(Problem{At: p, Text: fmt.Sprintf(format, args...)})
}

// Problem is one thing that a check has found.
type Problem struct {
	At   source.Place
	Text string  // what is wrong here, with the value and the limit
	Hint string  // what to do here, where the rule's Advice can be made concrete
	Fix  *Fix    // a change that cannot make things worse, nil where there is none
	Risk float64 // in place of the rule's, where it is not 0

	Severity Severity // in place of the rule's, unless it is Off or settings give the rule another
}

// Fix is a change to a skill's SKILL.md; findings have it as a Change.
type Fix struct {
	Label string
	Edits []Edit
}

// Edit replaces the bytes from Start up to End of a SKILL.md.
type Edit struct {
	Start, End int
	New        string
}
