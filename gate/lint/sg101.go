package lint

import (
	"fmt"
	"strings"
)

var noFrontmatter = &Rule{
	ID:       "SG101",
	Title:    "first line is not ---",
	Why:      "frontmatter counts only from the first line; otherwise the whole file is content and the first line of text is the description",
	Advice:   "begin the file with a line --- followed by name and description",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Fixes:    true,
	Bad:      file("pdf", "\n---\nname: pdf\ndescription: Fills PDF forms.\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		f := s.Front
		if f.Opened {
			return
		}
		p := Problem{At: s.Src.Line(1), Text: "there is no frontmatter"}
		if strings.TrimSpace(s.Src.Text) == "" {
			p.Text = "the file is empty"
		}
		if f.FirstDash > 0 {
			p.Text = fmt.Sprintf("the first line is not ---; the frontmatter that begins on line %d is content", f.FirstDash)
			lead := s.Src.Text[f.Body:s.Src.lines[f.FirstDash-1]]
			if strings.TrimSpace(lead) == "" {
				p.Fix = &Fix{"remove what stands before the first ---", []Edit{{f.Body, f.Body + len(lead), ""}}}
			}
		}
		report(p)
	},
}
