package lint

import (
	"fmt"
	"unicode/utf8"
)

var hiddenText = &Rule{
	ID:       "SG501",
	Title:    "characters that nobody sees",
	Why:      "zero-width and tag characters hide instructions from the reader and not from the model; in a name or trigger they also keep words from being found",
	Advice:   "delete them",
	See:      unicodeURL,
	Since:    v1,
	Group:    GroupSafety,
	Severity: Error,
	Fixes:    true,
	Risk:     0.3,
	Bad:      front("pdf", "Fills PDF\u200b forms. Use when a task names a .pdf file."),
	Good:     front("pdf", "Fills PDF forms 👩‍💻. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		eachHidden(s, func(r rune) bool { return zeroWidth(r) || tag(r) }, func(src *Source, run []hiddenRun) {
			fix := &Fix{Label: "delete the hidden characters"}
			n := 0
			for _, h := range run {
				fix.Edits = append(fix.Edits, Edit{h.start, h.end, ""})
				n += h.n
			}
			p := Problem{At: src.Span(run[0].start, run[0].end), Text: fmt.Sprintf("%d hidden characters, the first is %U", n, run[0].r)}
			if src == s.Src && s.Raw == nil {
				p.Fix = fix
			}
			report(p)
		})
	},
}

// hiddenRun is a run of hidden characters.
type hiddenRun struct {
	start, end, n int
	r             rune
}

// eachHidden calls f for each file of the skill with the runs of hidden characters
// that do not belong to ordinary writing.
func eachHidden(s *Skill, which func(rune) bool, f func(src *Source, runs []hiddenRun)) {
	for _, t := range s.texts() {
		if isASCII(t.src.Text) {
			continue
		}
		var runs []hiddenRun
		for i, r := range t.src.Text {
			if r < 0xAD || !which(r) || belongs(t.src.Text, i, r) {
				continue
			}
			end := i + utf8.RuneLen(r)
			if n := len(runs); n > 0 && runs[n-1].end == i {
				runs[n-1].end, runs[n-1].n = end, runs[n-1].n+1
				continue
			}
			runs = append(runs, hiddenRun{i, end, 1, r})
		}
		if runs != nil {
			f(t.src, runs)
		}
	}
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
