package lint

import (
	"fmt"
)

var windowsPath = &Rule{
	ID:       "SG132",
	Title:    "path with backslashes",
	Why:      "it names nothing on Linux and macOS; forward slashes work everywhere",
	Advice:   "write the path with forward slashes",
	See:      practiceURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	OfBody:   true,
	Bad:      long("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nRun `scripts\\fill.py FILE`.\n"),
	Good: Example{Files: []ExampleFile{
		longer("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nRun `scripts/fill.py FILE`.\n"),
		{Path: "pdf/scripts/fill.py", Text: "print()\n"},
	}},
	Check: func(s *Skill, report Report) {
		n := 0
		s.eachLine(func(l bodyLine) bool {
			if m := backslashed.get().FindStringIndex(l.text); m != nil && !windowsOnly(l.text, m) {
				report(Problem{At: s.Src.Span(l.start+m[0], l.start+m[1]), Text: fmt.Sprintf("%s has backslashes", l.text[m[0]:m[1]])})
				n++
			}
			return n < 5
		})
	},
}

var backslashed = lazy(`\b(?:scripts|references|reference|assets|templates|examples|resources)\\[A-Za-z0-9_-]+(?:\\[A-Za-z0-9_-]+)*\.[A-Za-z0-9]{1,5}\b`)

// windowsOnly reports whether the path is one that only a Windows shell is given: a
// PowerShell or batch file, or a path below a Windows variable or drive.
func windowsOnly(line string, m []int) bool {
	return windowsFile.get().MatchString(line[m[0]:m[1]]) || windowsRoot.get().MatchString(line[:m[0]])
}

var (
	windowsFile = lazy(`(?i)\.(?:ps1|psm1|bat|cmd|exe|vbs)$`)
	windowsRoot = lazy(`(?i)(?:\$env:\w+|%\w+%|\b[a-z]:)\\[^\s"']*$`)
)
