package lint

import (
	"fmt"
	"strings"
)

var leavesFolder = &Rule{
	ID:       "SG129",
	Title:    "link that leaves the skill's folder",
	Why:      "a skill is installed as one folder; what lies outside is not there on another machine",
	Advice:   "copy the file into the folder, or name the other skill instead",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	OfBody:   true,
	Bad:      long("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nSee [the fields](../shared/fields.md).\n"),
	Good: Example{Files: []ExampleFile{
		longer("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nSee [the fields](fields.md).\n"),
		{Path: "pdf/fields.md", Text: "# Fields\n"},
	}},
	Check: func(s *Skill, report Report) {
		for _, l := range s.links() {
			// A path from the site's top, as in a web page, is not a file's.
			if l.markdown && leaves(l.target) && !(strings.HasPrefix(l.target, "/") && !strings.Contains(l.target[1:], ".")) {
				report(Problem{At: s.Src.Span(l.start, l.end), Text: fmt.Sprintf("%s is outside the skill's folder", l.target)})
			}
		}
	},
}
