package lint

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

var sg126 = &Rule{ID: "SG126", Severity: Info, Check: func(s *Skill, report Report) {
	body := strings.TrimRight(s.BodyText(), "\r\n \t")
	if n := strings.Count(body, "\n") + 1; n > maxLines && !s.Large {
		report.at(s.Src.Line(s.Src.LineAt(min(s.Front.Body, len(s.Src.Text)))),
			"the body has %d lines, recommended at most %d", n, maxLines)
	} else if n := tokens(body); n > maxTokens && !s.Large {
		report.at(s.Src.Line(s.Src.LineAt(min(s.Front.Body, len(s.Src.Text)))),
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

// After a fence that is not closed, or closed and never opened, the rest is read the wrong way round: the fence left
// open at the end of the file is not the one to mend.
var sg133 = &Rule{ID: "SG133", Severity: Info, Check: func(s *Skill, report Report) {
	var withInfo, outer, inner source.Line
	var fences []fenceLine
	open, blank := false, true
	s.eachLine(func(l source.Line) bool {
		last := len(fences) - 1
		if last >= 0 && fences[last].number == s.Src.LineAt(l.Start)-1 {
			fences[last].blankAfter = strings.TrimSpace(l.Text) == ""
		}
		mark := source.FenceMark(l.Text)
		switch {
		case l.Fence:
			fences = append(fences, fenceLine{l, s.Src.LineAt(l.Start), blank, true})
			if open = !open; open && info(l.Text) != "" {
				withInfo = l
			}
		case inner.Text == "" && open && mark != "" && strings.HasPrefix(mark, source.FenceMark(fences[last].Text)):
			outer, inner = fences[last].Line, l
			if page := info(withInfo.Text); info(outer.Text) == "" && (page == "markdown" || page == "md") {
				outer = withInfo
			}
		}
		blank = strings.TrimSpace(l.Text) == ""
		return true
	})
	if !open || s.Large {
		return
	}
	at, text, hint := misread(fences)
	if inner.Text != "" && outer.Start < at.Start {
		at, text, hint = outer, openedAgain(s.Src.LineAt(inner.Start)), closeBefore
	}
	report(Problem{At: s.Src.Span(at.Start, at.Start+len(at.Text)), Text: text, Hint: hint})
}}

type fenceLine struct {
	source.Line
	number                  int  // of the line
	blankBefore, blankAfter bool // an empty line, or none
}

// misread returns the first fence that stands where the other kind belongs, the last where none does, and what is
// wrong about it and what to do. The last of the fences is open.
func misread(fences []fenceLine) (at source.Line, text, hint string) {
	open := -1
	closes := func(i int) bool { // as its neighbours have it
		return i < len(fences) && info(fences[i].Text) == "" && !fences[i].blankBefore && fences[i].blankAfter
	}
	for i, f := range fences {
		switch {
		case open < 0 && closes(i) && !closes(i+1):
			return f.Line, "closes a code fence that is opened nowhere", "open it above, or take the line out"
		case open < 0:
			open = i
		case f.blankBefore && !f.blankAfter:
			return fences[open].Line, openedAgain(f.number), closeBefore
		default:
			open = -1
		}
	}
	return fences[len(fences)-1].Line, "the code fence that opens here is never closed", ""
}

func openedAgain(line int) string {
	return fmt.Sprintf("another code fence opens in line %d, before the one that opens here is closed", line)
}

const closeBefore = "close it before that line, or open and close it with a backquote more"

func info(line string) string { return strings.ToLower(strings.Trim(line, " \t`~")) }
