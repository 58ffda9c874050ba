package lint

import "fmt"

var missingFile = &Rule{
	ID:       "SG130",
	Title:    "body names a file that is not there",
	Why:      "the model tries to run or read it when the skill is loaded",
	Advice:   "add the file, or correct the path",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	Bad: file("pdf", page("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.")+"\nRun `scripts/fill.py FILE`.\n").
		with("pdf/scripts/read.py", "print()\n"),
	Good: file("pdf", page("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.")+"\nRun `scripts/fill.py FILE`.\n").
		with("pdf/scripts/fill.py", "print()\n"),
	Check: func(s *Skill, report Report) {
		if s.Dir == "" {
			return
		}
		seen := map[string]bool{}
		for _, l := range s.links() {
			if l.markdown || seen[l.target] || s.Has(l.target) {
				continue
			}
			seen[l.target] = true
			report(Problem{At: s.Src.Span(l.start, l.end), Text: fmt.Sprintf("%s does not exist in the skill's folder", l.target)})
		}
	},
}
