package lint

import "strings"

var sg126 = &Rule{ID: "SG126", Severity: Info, Check: func(s *Skill, report Report) {
	body := strings.TrimRight(s.BodyText(), "\r\n \t")
	if body == "" && s.Front.Closed {
		report(Problem{At: s.Src.Whole(), Text: "the body is empty", Severity: Warning,
			Hint: "write step-by-step instructions for the model"})
	}
	if n := strings.Count(body, "\n") + 1; n > maxLines && !s.Large {
		report.at(s.Src.Line(s.Src.LineAt(min(s.Front.Body, len(s.Src.Text)))),
			"the body has %d lines; at most %d are recommended", n, maxLines)
	} else if n := tokens(body); n > maxTokens && !s.Large {
		report.at(s.Src.Line(s.Src.LineAt(min(s.Front.Body, len(s.Src.Text)))),
			"the body has about %d tokens; at most %d are recommended", n/100*100, maxTokens)
	}
}}

// Limits that the specification recommends.
const (
	maxLines  = 500
	maxTokens = 5000
)

// tokens estimates the number of tokens in text: a quarter of the English characters plus four fifths of the
// Chinese, Japanese and Korean ones.
func tokens(text string) int {
	narrow, wide := 0, 0
	for _, r := range text {
		if r >= 0x1100 && !(r >= 0x2000 && r < 0x2E80) {
			wide++
		} else {
			narrow++
		}
	}
	return narrow/4 + wide*4/5
}

func info(line string) string { return strings.ToLower(strings.Trim(line, " \t`~")) }
