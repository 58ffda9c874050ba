package lint

import "fmt"

var keepsBoundary = &Rule{
	ID:       "SG307",
	Title:    "found for what its own boundary gives away",
	Why:      "for the words of the boundary the gate names this skill, and not the one that the boundary sends to",
	Advice:   "take those words out of what the skill says it does, or give them to the other skill's description",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	Bad: Example{Files: []ExampleFile{
		skill("pages-watermark", "Fills PDF forms and draws the watermark of pages. Use when the user says \"fill the form\". Do NOT use for watermark pages (use pdf-stamp)."),
		skill("watermark-blue", "Draws the watermark of pages in blue."),
		skill("watermark-red", "Draws the watermark of pages in red."),
		skill("watermark-grey", "Draws the watermark of pages in grey."),
		skill("watermark-large", "Draws the watermark of pages in large letters."),
		skill("watermark-small", "Draws the watermark of pages in small letters."),
		skill("pdf-stamp", "Prints letters across sheets."),
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf-forms", "Fills PDF forms. Use when a task names a form. Do NOT use for watermarks (use pdf-stamp)."),
		skill("pdf-stamp", "Puts a watermark on the pages of a PDF."),
	}},
	Within: func(l *Library, s *Skill, report Report) {
		m := l.measured(s)
		if m == nil {
			return
		}
		for _, b := range m.Boundaries {
			if b.By == "" || b.Own > reach || b.Other > 0 && (b.Other <= reach || b.Other < b.Own+clearly) {
				continue
			}
			report(Problem{
				At:   s.InDescription(b.Not),
				Text: fmt.Sprintf("for %q this skill is found in place %d and %s %s, by %s", printableShort(b.Not), b.Own, b.Use, placeName(b.Other), b.By),
				Hint: fmt.Sprintf("say these words in the description of %s, or name a skill in the boundary that is found for them", b.Use),
			})
			return
		}
	},
}

const clearly = 3 // places; with fewer between them both stand at the end of the list
