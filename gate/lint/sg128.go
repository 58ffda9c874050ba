package lint

import "fmt"

var brokenLink = &Rule{
	ID:       "SG128",
	Title:    "link to a file that is not there",
	Why:      "the model follows the link when the skill is loaded and loses a turn, or makes up what the file would have said",
	Advice:   "add the file, or take the link out",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	OfBody:   true,
	Bad:      long("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nSee [the fields](references/fields.md).\n"),
	Good: Example{Files: []ExampleFile{
		longer("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nSee [the fields](references/fields.md).\n"),
		{Path: "pdf/references/fields.md", Text: "# Fields\n"},
	}},
	Check: func(s *Skill, report Report) {
		if s.Dir == "" {
			return
		}
		for _, l := range s.links() {
			if l.markdown && !leaves(l.target) && !s.Has(l.target) {
				report(Problem{At: s.Src.Span(l.start, l.end), Text: fmt.Sprintf("%s does not exist", l.target)})
			}
		}
	},
}
