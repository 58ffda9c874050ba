package lint

import "fmt"

var bidirectionalText = &Rule{
	ID:       "SG502",
	Title:    "text whose direction is turned",
	Why:      "bidirectional controls show a line in another order than it is read and run in",
	Advice:   "delete the control characters",
	See:      trojanURL,
	Since:    v1,
	Group:    GroupSafety,
	Severity: Error,
	Risk:     0.4,
	Bad:      long("pdf", "Fills PDF forms. Use when a task names a .pdf file.", "\nRun `fill \u202eelif\u202c`.\n"),
	Good:     long("pdf", "Fills PDF forms. Use when a task names a .pdf file.", "\nRun `fill file`.\n"),
	Check: func(s *Skill, report Report) {
		for _, t := range s.texts() {
			if runs := t.turned; len(runs) > 0 {
				report(Problem{At: t.src.Span(runs[0].start, runs[0].end), Text: fmt.Sprintf("%d bidirectional controls, the first is %U", count(runs), runs[0].r)})
			}
		}
	},
}
