// Package lint tells the author of a skill whether it can be read, found and
// trusted, and what to change where it cannot.
//
// A Rule is one value: its text, its examples and its check. All lists them in
// the order of their ids; the documentation (RULES.md), `lint --explain` and the
// SARIF output print the same words. Ids are never reused:
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
// findings in the order of files and lines, a grade and a risk per skill. Rules
// read; only Apply computes new text, and only the command writes it.
//
// Positions are 1-based lines and 1-based columns counted in characters.
package lint

import (
	"fmt"
	"strings"
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
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return Off, fmt.Errorf("severity %q, want off, info, warning or error", name)
}

// Group is a family of rules.
type Group string

const (
	GroupFormat      Group = "format"
	GroupDescription Group = "description"
	GroupMeasured    Group = "measured"
	GroupLibrary     Group = "library"
	GroupSafety      Group = "safety"
	GroupIntent      Group = "intent"
)

// Rule is one mistake that can be found.
type Rule struct {
	ID       string
	Title    string   // the mistake in a few words
	Why      string   // what it costs
	Advice   string   // what to do about it
	See      string   // where the rule comes from
	Since    string   // first release that has it
	Group    Group    // also the hundred of its id
	Severity Severity // unless settings say otherwise
	Fixes    bool     // some findings come with a fix
	Risk     float64  // the chance that a skill with such a finding does harm, 0 to 1
	NeedsAll bool     // it is right only where all skills of the library are there, not one alone
	OfBody   bool     // about a body's size, links and fences, which do not hide a skill: it costs no grade
	Bad      Example  // reported
	Good     Example  // not reported

	// Exactly one of the checks is set.
	Check  func(s *Skill, report Report)             // looks at one skill
	Within func(l *Library, s *Skill, report Report) // looks at one skill among the others
	Whole  func(l *Library, report Report)           // looks at the library, once
}

// Report takes what a check has found.
type Report func(Problem)

// Problem is one thing that a check has found.
type Problem struct {
	At   Place
	Text string  // what is wrong here, with the value and the limit
	Hint string  // what to do here, where the rule's Advice can be made concrete
	Fix  *Fix    // a change that cannot make things worse, nil where there is none
	Risk float64 // in place of the rule's, where it is not 0
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

// Example is a small library that shows a rule.
type Example struct {
	Files []ExampleFile
	Crowd Crowd                // skills before those of Files
	Made  func() []ExampleFile // files before those of Files that have to be computed
	Usage map[string]Usage     // what the journal says, by skill name

	Listing   *Listing // what the host's listing has no room for
	Installed bool     // the files are a user's skills folder, and project/ a project's, not a library
}

// ExampleFile is one file of an Example; Path is relative to the library.
type ExampleFile struct {
	Path, Text string
	Times      int // how often its last line stands there; 0 is once
}

// Content returns the whole text. Long files are written out only where they are
// looked at.
func (f ExampleFile) Content() string {
	if f.Times < 2 {
		return f.Text
	}
	last := f.Text[strings.LastIndexByte(f.Text[:len(f.Text)-1], '\n')+1:]
	return f.Text + strings.Repeat(last, f.Times-1)
}

// String returns the files as they are printed by --explain: the text of the only
// file, or every file behind a line with its path.
func (e Example) String() string {
	var b strings.Builder
	files := e.All()
	for i, f := range files {
		if n := len(files); n > 6 && i > 0 && i < n-1 {
			if i == 1 {
				fmt.Fprintf(&b, "… and %d more like it\n", n-2)
			}
			continue
		}
		if len(files) > 1 || !strings.HasSuffix(f.Path, "/SKILL.md") {
			fmt.Fprintf(&b, "-- %s --\n", f.Path)
		}
		b.WriteString(f.Content())
		if !strings.HasSuffix(f.Text, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// What stands around the name, the description and the name again in a page.
const (
	pageName        = "---\nname: "
	pageDescription = "\ndescription: "
	pageTitle       = "\n---\n# "
	pageSteps       = "\n\n1. Read the input.\n2. Write the result.\n"
)

// page is a SKILL.md with a name, a description and a short body.
func page(name, description string) string {
	return pageName + name + pageDescription + description + pageTitle + name + pageSteps
}

// The compiler turns calls of the functions below with constant arguments into
// data, so that rules cost nothing at the start of the program. It does so only as
// long as they are one literal and call nothing themselves.

// file is an example of one SKILL.md in the folder name.
func file(name, text string) Example {
	return Example{Files: []ExampleFile{{Path: name + "/SKILL.md", Text: text}}}
}

// front is an example of one SKILL.md with a name, a description and a short body.
func front(name, description string) Example {
	return Example{Files: []ExampleFile{{Path: name + "/SKILL.md",
		Text: pageName + name + pageDescription + description + pageTitle + name + pageSteps}}}
}

// long is an example like front with more at the end of the body.
func long(name, description, more string) Example {
	return Example{Files: []ExampleFile{{Path: name + "/SKILL.md",
		Text: pageName + name + pageDescription + description + pageTitle + name + pageSteps + more}}}
}

// skill is the SKILL.md of front, for an example with several files.
func skill(name, description string) ExampleFile {
	return ExampleFile{Path: name + "/SKILL.md",
		Text: pageName + name + pageDescription + description + pageTitle + name + pageSteps}
}

// longer is the SKILL.md of long, for an example with several files.
func longer(name, description, more string) ExampleFile {
	return ExampleFile{Path: name + "/SKILL.md",
		Text: pageName + name + pageDescription + description + pageTitle + name + pageSteps + more}
}
