package lint

var openFence = &Rule{
	ID:       "SG133",
	Title:    "code fence is not closed",
	Why:      "everything behind it is code to a reader of Markdown, instructions included",
	Advice:   "close the fence with as many backquotes as opened it",
	See:      "https://spec.commonmark.org/current/#fenced-code-blocks",
	Since:    v1,
	Group:    GroupFormat,
	Severity: Warning,
	OfBody:   true,
	Bad:      long("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\n```sh\nfill FILE\n\nThen write the result.\n"),
	Good:     long("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file.", "\n```sh\nfill FILE\n```\n\nThen write the result.\n"),
	Check: func(s *Skill, report Report) {
		opened, open := bodyLine{}, false
		s.eachLine(func(l bodyLine) bool {
			if l.fence {
				open = !open
				opened = l
			}
			return true
		})
		if open && !s.Large {
			report(Problem{At: s.Src.Span(opened.start, opened.start+len(opened.text)), Text: "the code fence that opens here is never closed"})
		}
	},
}
