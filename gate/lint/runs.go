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
				p.Text = "the command after !` is not closed on its line"
				p.Hint = "close it on the same line, as in !`git status --short`"
			case fault != "":
				p.Text = "the command that runs when the skill is loaded is not valid shell: " + fault
			default:
				return
			}
			report(p)
		})
	}
	for _, src := range s.besides() {
		rel := strings.TrimPrefix(src.Path, path.Dir(s.Src.Path)+"/")
		if isMarkdown(rel) || forOthers.get().MatchString(rel) || len(src.Text) >= maxBeside {
			continue
		}
		line, fault := 0, ""
		switch path.Ext(rel) {
		case ".py":
			if !strings.Contains(src.LineText(1), "python2") {
				line, fault = pythonFault(src.Text)
			}
		case ".sh", ".bash":
			if first := src.LineText(1); ofShell.get().MatchString(first) {
				line, fault = shellFault(src.Text)
			}
		}
		if first := src.LineText(1); fault == "" && strings.HasPrefix(first, "#!") && !interpreter.get().MatchString(first) {
			line, fault = 1, "#! is not followed by the path of a program"
		}
		if fault != "" {
			report(Problem{At: src.Line(min(line, src.Lines())), Text: fmt.Sprintf("%s does not run: %s", rel, fault),
				Hint: "run the script once, or check it with its interpreter"})
		}
	}
}}

var (
	interpreter = lazy(`^#![ \t]*(?:/|\{)`)
	ofShell     = lazy(`^#!.*\b(?:ba|da|k)?sh\b`)
)

func (s *Skill) loadCommands(f func(command string, start, end int)) {
	for l := range s.lines() {
		if l.Code || l.Fence || !strings.Contains(l.Text, "!`") {
			continue
		}
		for _, m := range loadCommand.get().FindAllStringSubmatchIndex(l.Text, -1) {
			if m[4] >= 0 {
				f("", l.Start+m[4], -1)
			} else {
				f(l.Text[m[2]:m[3]], l.Start+m[2], l.Start+m[3])
			}
		}
	}
}

var loadCommand = lazy("(?:^|[ \\t(:])!`(?:([^`\\n]+)`|[^`\\n]*()$)")

func shellFault(text string) (line int, fault string) {
	_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if p, ok := errors.AsType[syntax.ParseError](err); ok {
		return int(p.Pos.Line()), p.Text
	}
	return 0, ""
}

// pythonFault returns the line and the description of a syntax error in a Python 3 script. It reports only certain
// errors: unbalanced brackets and quotation marks, missing colons before blocks, and empty blocks.
func pythonFault(text string) (line int, fault string) {
	if strings.ContainsAny(text, "\f\x00") {
		return 0, ""
	}
	var brackets []byte
	var opened []int
	last, lastIndent, lastLine := "", 0, 0 // the previous logical line
	start, code := 1, []byte{}
	lines := 1
	end := func() (int, string) {
		one := strings.TrimRight(string(code), " \t\r")
		first := start
		code, start = code[:0], lines+1
		plain := strings.TrimLeft(one, " \t")
		if plain == "" {
			return 0, ""
		}
		indent := len(one) - len(plain)
		if strings.Contains(one[:indent], "\t") {
			indent = -1
		}
		word := blockWord.get().FindString(plain)
		if word != "" && !strings.Contains(plain, ":") && !softUse.get().MatchString(plain) {
			return first, fmt.Sprintf("%q has no colon", strings.TrimSpace(word))
		}
		if printed.get().MatchString(plain) {
			return first, "print without parentheses"
		}
		if strings.HasSuffix(last, ":") && blockWord.get().MatchString(last) && indent >= 0 && indent <= lastIndent {
			return lastLine, "the block after this line is empty"
		}
		last, lastIndent, lastLine = plain, indent, first
		return 0, ""
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == '"' || c == '\'':
			mark := string(c)
			if strings.HasPrefix(text[i:], strings.Repeat(mark, 3)) {
				mark = strings.Repeat(mark, 3)
			}
			formatted := i > 0 && strings.ContainsRune("fFtT", rune(text[i-1])) ||
				i > 1 && strings.ContainsRune("fF", rune(text[i-2])) && strings.ContainsRune("rR", rune(text[i-1]))
			first, braces := lines, 0
			for i += len(mark); i < len(text) && (braces > 0 || !strings.HasPrefix(text[i:], mark)); i++ {
				if formatted && braces > 0 && (text[i] == '\n' && len(mark) == 1 || strings.HasPrefix(text[i:], mark)) {
					return 0, "" // Python 3.12 allows strings inside the braces of an f-string
				}
				switch text[i] {
				case '{':
					if formatted {
						braces++
					}
				case '}':
					braces = max(0, braces-1)
				case '\\':
					if i++; i < len(text) && text[i] == '\n' {
						lines++
					}
				case '\n':
					if len(mark) == 1 {
						return first, "a quotation mark is not closed"
					}
					lines++
				}
			}
			if i >= len(text) {
				return first, "a quotation mark is not closed"
			}
			i += len(mark) - 1
			code = append(code, '"')
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\n' || text[i+1] == '\r'):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return 0, "" // bare CR line ends are not supported
			}
			i += end
			lines++
			code = append(code, ' ')
		case strings.IndexByte("([{", c) >= 0:
			brackets, opened = append(brackets, c), append(opened, lines)
			code = append(code, c)
		case strings.IndexByte(")]}", c) >= 0:
			n := len(brackets)
			if n == 0 || strings.IndexByte("([{", brackets[n-1]) != strings.IndexByte(")]}", c) {
				return lines, fmt.Sprintf("%q has no opening bracket", c)
			}
			brackets, opened = brackets[:n-1], opened[:n-1]
			code = append(code, c)
		case c == '\n':
			if len(brackets) == 0 {
				if line, fault := end(); fault != "" {
					return line, fault
				}
			} else {
				code = append(code, ' ')
			}
			lines++
			if len(brackets) == 0 {
				start = lines
			}
		case c == ':' && len(brackets) > 0:
			code = append(code, ' ') // this colon opens no block
		default:
			code = append(code, c)
		}
	}
	if n := len(brackets); n > 0 {
		return opened[n-1], fmt.Sprintf("%q is not closed", brackets[n-1])
	}
	return end()
}

var (
	blockWord = lazy(`^(?:async\s+)?(?:def\s+\w+|class\s+\w+|if\b|elif\b|else\b|for\b|while\b|try\b` +
		`|except\b|finally\b|with\b)`)
	softUse = lazy(`^(?:if|else|for)\b.*\\$`)
	printed = lazy(`^print\s+["\w]`)
)
