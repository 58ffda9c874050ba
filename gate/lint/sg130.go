package lint

import (
	"fmt"
	"strings"
)

var missingFile = &Rule{
	ID:       "SG130",
	Title:    "body names a file that is not there",
	Why:      "the model tries to run or read it when the skill is loaded",
	Advice:   "add the file, or correct the path",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	OfBody:   true,
	Bad: Example{Files: []ExampleFile{
		longer("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nRun `scripts/fill.py FILE`.\n"),
		{Path: "pdf/scripts/read.py", Text: "print()\n"},
	}},
	Good: Example{Files: []ExampleFile{
		longer("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nRun `scripts/fill.py FILE`.\n"),
		{Path: "pdf/scripts/fill.py", Text: "print()\n"},
	}},
	Check: func(s *Skill, report Report) {
		if s.Dir == "" {
			return
		}
		seen := map[string]bool{}
		for _, l := range s.links() {
			if l.markdown || seen[l.target] || s.Has(l.target) || s.yetToBe(l) {
				continue
			}
			seen[l.target] = true
			report(Problem{At: s.Src.Span(l.start, l.end), Text: fmt.Sprintf("%s does not exist in the skill's folder", l.target)})
		}
	},
}

// yetToBe reports whether the text speaks of a file that the skill makes or of one
// of the user's: the path in the first comment of an example, in an HTML comment,
// or behind a word such as "save".
func (s *Skill) yetToBe(l link) bool {
	line := s.Src.line(s.Src.lineAt(l.start))
	from := l.start - int(s.Src.lines[s.Src.lineAt(l.start)-1])
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "<!--") || l.inFence && commentLine.get().MatchString(trimmed) {
		return true
	}
	return makesFile.get().MatchString(leadIn(line, from))
}

var makesFile = lazy("(?i)\\b(?:sav(?:e|es|ed|ing)|creat(?:e|es|ed|ing)|writ(?:e|es|ing|ten)|generat(?:e|es|ed|ing)|export(?:s|ed|ing)?|outputs?|stor(?:e|es|ed|ing))\\b[^`]{0,40}[`\"']?(?:\\./)?$|저장|생성|\\s>>?\\s*$")
