package lint

import (
	"fmt"
	"strings"
)

var sg126 = &Rule{ID: "SG126", Severity: Info, Check: func(s *Skill, report Report) {
	body := strings.TrimRight(s.BodyText(), "\r\n \t")
	if n := strings.Count(body, "\n") + 1; n > maxLines && !s.Large {
		report.at(s.Src.Line(s.Src.lineAt(min(s.Front.Body, len(s.Src.Text)))),
			"the body has %d lines, recommended at most %d", n, maxLines)
	} else if n := tokens(body); n > maxTokens && !s.Large {
		report.at(s.Src.Line(s.Src.lineAt(min(s.Front.Body, len(s.Src.Text)))),
			"the body has about %d tokens, recommended at most %d", n/100*100, maxTokens)
	}
}}

// Limits that the specification asks for.
const (
	maxLines  = 500
	maxTokens = 5000
)

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

var sg127 = &Rule{ID: "SG127", Severity: Warning, Check: func(s *Skill, report Report) {
	if s.Front.Closed && strings.TrimSpace(s.BodyText()) == "" {
		report.at(s.Src.Line(len(s.Src.lines)), "nothing follows the frontmatter")
	}
}}

// A fence that opens in an unclosed one is closed in its stead; what comes then is read the wrong way round, so
// that the fence left open at the end of the file is not the one to mend. Of a page of Markdown that holds fences
// the one that opens the page is.
var sg133 = &Rule{ID: "SG133", Severity: Warning, Check: func(s *Skill, report Report) {
	var opened, named, outer, inner bodyLine
	open := false
	s.eachLine(func(l bodyLine) bool {
		mark := fenceMark(l.text)
		switch {
		case l.fence:
			if open, opened = !open, l; open && info(l.text) != "" {
				named = l
			}
		case inner.text == "" && open && mark != "" && strings.HasPrefix(mark, fenceMark(opened.text)):
			outer, inner = opened, l
			if page := info(named.text); info(opened.text) == "" && (page == "markdown" || page == "md") {
				outer = named
			}
		}
		return true
	})
	switch {
	case !open || s.Large:
	case inner.text != "":
		report(Problem{
			At: s.Src.Span(outer.start, outer.start+len(outer.text)),
			Text: fmt.Sprintf("another code fence opens in line %d, before the one that opens here is closed",
				s.Src.lineAt(inner.start)),
			Hint: "close it before that line, or open and close it with a backquote more",
		})
	default:
		report.at(s.Src.Span(opened.start, opened.start+len(opened.text)), "the code fence that opens here is never closed")
	}
}}

// info is what a line says behind the mark of a code fence.
func info(line string) string { return strings.ToLower(strings.Trim(line, " \t`~")) }
