package lint

import (
	"fmt"
	"unicode/utf8"
)

var notUTF8 = &Rule{
	ID:       "SG123",
	Title:    "file is not UTF-8",
	Why:      "hosts read UTF-8 and put a replacement character for every byte that is none: Korean text in another encoding is lost",
	Advice:   "save the file as UTF-8 (CP949: iconv -f CP949 -t UTF-8)",
	See:      specURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Bad:      file("pdf", "---\nname: pdf\ndescription: PDF \xbc\xad\xbd\xc4\xc0\xbb \xc3\xa4\xbf\xec\xb4\xd9. Use when a task names a .pdf file.\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     front("pdf", "PDF 서식을 채운다. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if s.Raw == nil {
			return
		}
		line := 1
		for i := 0; i < len(s.Raw); {
			r, n := utf8.DecodeRune(s.Raw[i:])
			if r == utf8.RuneError && n == 1 {
				if s.Large && i >= len(s.Raw)-3 {
					return // a character cut in two by the limit on what is read
				}
				report(Problem{At: s.Src.Line(line), Text: fmt.Sprintf("byte %#02x at offset %d is not UTF-8", s.Raw[i], i)})
				return
			}
			if r == '\n' {
				line++
			}
			i += n
		}
	},
}
