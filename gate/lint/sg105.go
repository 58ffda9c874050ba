package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var listingTooLong = &Rule{
	ID:       "SG105",
	Title:    "description and when_to_use over 1536 characters",
	Why:      "the host joins the two in its listing and cuts them there: what stands behind is never seen",
	Advice:   "shorten when_to_use, or say in the description what decides",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad: Example{Made: func() []ExampleFile {
		return []ExampleFile{{Path: "pdf/SKILL.md", Text: "---\nname: pdf\ndescription: Fills PDF forms.\nwhen_to_use: Use when a task names " +
			strings.Repeat("a form, ", 200) + "a .pdf.\n---\n# PDF\n\n1. Read the form.\n"}}
	}},
	Good: file("pdf", "---\nname: pdf\ndescription: Fills PDF forms.\nwhen_to_use: Use when a task names a .pdf file.\n---\n# PDF\n\n1. Read the form.\n"),
	Check: func(s *Skill, report Report) {
		d, _ := s.Front.Scalar("description")
		w, ok := s.Front.Scalar("when_to_use")
		if n := utf8.RuneCountInString(strings.TrimSpace(d)) + utf8.RuneCountInString(strings.TrimSpace(w)); ok && n > maxListing {
			report(Problem{At: s.Key("when_to_use"), Text: fmt.Sprintf("description and when_to_use are %d characters, the listing ends at %d", n, maxListing)})
		}
	},
}
