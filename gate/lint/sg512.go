package lint

import "fmt"

var strayHidden = &Rule{
	ID:       "SG512",
	Title:    "stray hidden characters",
	Why:      "zero-width characters and soft hyphens, left by a copied page or a broken encoding, keep words, commands and code fences from being what they look like",
	Advice:   "delete them",
	See:      unicodeURL,
	Since:    v1,
	Group:    GroupSafety,
	Severity: Warning,
	Fixes:    true,
	Risk:     0.02,
	Bad:      front("pdf", "Fills PDF\u200b forms. Use when a task names a .pdf file."),
	Good:     front("pdf", "Fills PDF forms 👩\u200d💻. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		for _, t := range s.texts() {
			if runs := t.unseen; len(runs) > 0 && !message(runs) && !constant(t.src, runs) {
				report(Problem{At: t.src.Span(runs[0].start, runs[0].end), Text: fmt.Sprintf("%d hidden characters, the first is %U", count(runs), runs[0].r), Fix: s.deleteRuns(t.src, runs)})
			}
		}
	},
}

// constant reports whether the only run is the whole of a string in code, as in
// the list of the characters that a program looks for.
func constant(src *Source, runs []hiddenRun) bool {
	if len(runs) != 1 || runs[0].start == 0 || runs[0].end == len(src.Text) {
		return false
	}
	before, behind := src.Text[runs[0].start-1], src.Text[runs[0].end]
	return before == behind && (before == '"' || before == '\'' || before == '`')
}
