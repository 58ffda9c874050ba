package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

var deepReference = &Rule{
	ID:       "SG131",
	Title:    "reference reached only through another reference",
	Why:      "models often read only the head of a file that another file names: the specification asks for references one level deep",
	Advice:   "name the file in SKILL.md too",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Info,
	OfBody:   true,
	Bad: Example{Files: []ExampleFile{
		longer("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nSee [forms](references/forms.md).\n"),
		{Path: "pdf/references/forms.md", Text: "# Forms\n\nSee [fields](fields.md).\n"},
		{Path: "pdf/references/fields.md", Text: "# Fields\n"},
	}},
	Good: Example{Files: []ExampleFile{
		longer("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\nSee [forms](references/forms.md) and [fields](references/fields.md).\n"),
		{Path: "pdf/references/forms.md", Text: "# Forms\n\nSee [fields](fields.md).\n"},
		{Path: "pdf/references/fields.md", Text: "# Fields\n"},
	}},
	Check: func(s *Skill, report Report) {
		if s.Dir == "" || len(s.Files) < 2 {
			return
		}
		near := map[string]bool{}
		var first []link
		for _, l := range s.links() {
			if t := path.Clean(l.target); s.Has(t) && !near[t] {
				near[t] = true
				first = append(first, l)
			}
		}
		body := s.BodyText()
		for _, l := range first {
			if path.Ext(l.target) != ".md" {
				continue
			}
			text, err := s.Read(path.Clean(l.target))
			if err != nil {
				continue
			}
			for _, deep := range linksOf(text, 0) {
				t := path.Join(path.Dir(l.target), deep.target)
				if !deep.markdown || near[t] || t == "SKILL.md" || leaves(t) || !slices.Contains(s.Files, t) || strings.Contains(body, path.Base(t)) {
					continue
				}
				near[t] = true
				report(Problem{At: s.Src.Span(l.start, l.end), Text: fmt.Sprintf("%s is named only in %s", t, l.target)})
			}
		}
	},
}
