package lint

import (
	"fmt"
	"strings"
)

var bodyTooLong = &Rule{
	ID:       "SG126",
	Title:    "body over 500 lines or 5,000 tokens",
	Why:      "the whole body goes into the context when the skill is loaded; the specification asks for less than 500 lines and 5,000 tokens, which is also what is left of it when the host compacts",
	Advice:   "move details to files that the body names, to be read when they are needed",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Info,
	OfBody:   true,
	Bad: Example{Files: []ExampleFile{{
		Path:  "pdf/SKILL.md",
		Text:  "---\nname: pdf\ndescription: Fills and reads PDF forms. Use when a task names a .pdf file.\n---\n# pdf\n\n1. Read the input.\n2. Write the result.\n- one more rule\n",
		Times: 500,
	}}},
	Good: front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		body := strings.TrimRight(s.BodyText(), "\r\n \t")
		if n := strings.Count(body, "\n") + 1; n > maxBodyLines && !s.Large {
			report(Problem{At: s.Src.Line(s.Src.lineAt(min(s.Front.Body, len(s.Src.Text)))), Text: fmt.Sprintf("the body has %d lines, recommended at most %d", n, maxBodyLines)})
		} else if n := tokens(body); n > maxBodyTokens && !s.Large {
			report(Problem{At: s.Src.Line(s.Src.lineAt(min(s.Front.Body, len(s.Src.Text)))), Text: fmt.Sprintf("the body has about %d tokens, recommended at most %d", n/100*100, maxBodyTokens)})
		}
	},
}

const maxBodyTokens = 5000

// tokens is about how many tokens a text has: a model's token is four characters of
// English on average, and hardly more than one of Korean, Chinese or Japanese.
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
