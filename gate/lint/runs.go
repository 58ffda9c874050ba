package lint

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var sg148 = &Rule{ID: "SG148", Severity: Error, Check: func(s *Skill, report Report) {
	if s.forCopying() {
		return
	}
	if shell, ok := s.Front.Scalar("shell"); !s.aboutSkills() && (!ok || shell == "" || shell == "bash") {
		s.loadCommands(func(command string, start, end int) {
			p := Problem{At: s.Src.Span(start, end), Hint: "test the command in a shell"}
			fault := ""
			if !strings.Contains(command, "...") && !(strings.ContainsAny(command, "<…") && strings.Contains(command, ">")) {
				_, fault = shellFault(command) // the command is not a template with placeholders
			}
			switch {
			case end < 0:
				p.At, p.Severity = s.Src.Span(start, start+2), Warning
				p.Text = "the command after !` has no closing backtick on its line"
				p.Hint = "end the command on the same line, as in !`git status --short`"
			case fault != "":
				p.Text = "the command that runs when the skill is loaded has a syntax error: " + fault
			default:
				return
			}
			report(p)
		})
	}
	for _, src := range s.besides() {
		rel := strings.TrimPrefix(src.Path, path.Dir(s.Src.Path)+"/")
		if isMarkdown(rel) || expr("forOthers").MatchString(rel) || len(src.Text) >= maxBeside {
			continue
		}
		line, fault := 0, ""
		first := src.LineText(1)
		if ext := path.Ext(rel); (ext == ".sh" || ext == ".bash") && expr("ofShell").MatchString(first) {
			line, fault = shellFault(src.Text)
		}
		if fault == "" && strings.HasPrefix(first, "#!") && !expr("interpreter").MatchString(first) {
			line, fault = 1, "#! is not followed by the path of a program"
		}
		if fault != "" && !strings.Contains(fault, "here-document") { // bash runs a script that ends in one
			report(Problem{At: src.Line(min(line, src.Lines())), Severity: Warning,
				Text: fmt.Sprintf("%s cannot run: %s", rel, fault), Hint: "run the script once, or check it with its interpreter"})
		}
	}
}}

func (s *Skill) loadCommands(f func(command string, start, end int)) {
	for l := range s.lines() {
		if l.Code || l.Fence || !strings.Contains(l.Text, "!`") {
			continue
		}
		for _, m := range findAll("loadCommand", l.Text, -1) {
			switch {
			case strings.Count(l.Text[:m[0]], "`")%2 == 1: // the end of a code span
			case m[4] >= 0:
				f("", l.Start+m[4], -1)
			default:
				f(l.Text[m[2]:m[3]], l.Start+m[2], l.Start+m[3])
			}
		}
	}
}

func shellFault(text string) (line int, fault string) {
	_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(
		strings.NewReader(strings.ReplaceAll(text, "'#'", "'_'")), "") // the parser takes # after a string for a comment
	p, ok := errors.AsType[syntax.ParseError](err)
	if ok && !expr("arrayKey").MatchString(p.Text) { // the parser rejects array keys that shells accept
		return int(p.Pos.Line()), p.Text
	}
	return 0, ""
}
