package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/lint/source"
)

// Unreadable is the ID of the rule for files that cannot be read.
const Unreadable = "SG100"

var sg100 = &Rule{ID: Unreadable, Severity: Error, Check: func(s *Skill, report Report) {
	if s.Err == nil {
		return
	}
	p := Problem{At: s.Src.Whole(), Text: s.Err.Error()}
	switch {
	case errors.Is(s.Err, fs.ErrNotExist):
		p.Text, p.Severity = "the target of the symbolic link does not exist", Warning
	case linksToPage(s.Path): // hosts follow such a link, but the gate does not
		p.Severity = Info
	}
	report(p)
}}

func linksToPage(file string) bool {
	target, err := filepath.EvalSymlinks(file)
	return err == nil && isMarkdown(target) && filepath.Base(target) != skillFile
}

var sg101 = &Rule{ID: "SG101", Severity: Error, Fixes: true, Within: func(l *Library, s *Skill, report Report) {
	f, late := s.Front, expr("lateFront").MatchString(s.Src.Text)
	name := filepath.Base(s.Path) // in capitals for documents such as README.md and AGENT_FORMAT.md
	agent := s.part != "" && !late && l.isPluginAgent(s) && filepath.Base(s.Dir) == "agents" &&
		strings.ToUpper(name) != strings.TrimSuffix(name, ".md")+".MD"
	if f.Opened || strings.HasPrefix(name, "_") || s.part != "" && !late && !agent ||
		s.part == "" && strings.Contains("/"+s.Src.Path, "/commands/") || l.isFragment(s) {
		return
	}
	p := Problem{At: s.Src.Line(1), Text: "the file has no frontmatter",
		Severity: Info.when(!f.Opened && above(s, skillFile) != "")} // part of another skill
	if strings.TrimSpace(s.Src.Text) == "" {
		p.Text = "the file is empty"
	}
	if agent {
		p.Severity, p.Text = Warning, "the agent has no frontmatter, so it has no description"
	} else if f.FirstDash > 0 && expr("topKey").MatchString(s.Src.LineText(f.FirstDash+1)) {
		p.Text = fmt.Sprintf("the first line is not ---, so the frontmatter on line %d is read as content", f.FirstDash)
		lead := s.Src.Text[f.Body:s.Src.LineStart(f.FirstDash)]
		if strings.TrimSpace(lead) == "" {
			p.Fix = &Fix{"remove the lines before the first ---", []Edit{{f.Body, f.Body + len(lead), ""}}}
		}
	}
	report(p)
}}

// isFragment reports whether a file without frontmatter, outside folders of skills, is a sample or part of a skill.
func (l *Library) isFragment(s *Skill) bool {
	return s.part == "" && !s.Front.Opened && s.Dir != "" && filepath.Base(filepath.Dir(s.Dir)) != "skills" &&
		(expr("forOthers").MatchString(filepath.ToSlash(s.Dir)+"/") ||
			slices.ContainsFunc(l.ByName(path.Base(s.Folder)), func(x *Skill) bool { return x.Front.Opened }))
}

var sg102 = &Rule{ID: "SG102", Severity: Error, Check: func(s *Skill, report Report) {
	f, text := s.Front, s.Src.Text
	if !f.Opened {
		return
	}
	end := f.hostEnd(text)
	if end < 0 {
		report.at(s.Src.Line(1), "the frontmatter has no closing ---")
		return
	}
	at := s.Src.Span(end, end+len("---"))
	if !f.Closed {
		report(Problem{At: at, Severity: Warning,
			Text: "Claude Code ends the frontmatter here, but other hosts find no closing ---"})
		return
	}
	if expr("moreFront").MatchString(text[f.Body:]) {
		report(Problem{At: at, Text: "the frontmatter ends here, and the lines up to the next --- are read as content",
			Hint: "do not write three dashes in a row inside the frontmatter"})
	} else if end < f.End && strings.Trim(text[end:f.End], "- \t\r\n") != "" {
		report(Problem{At: at, Text: "Claude Code ends the frontmatter at these dashes and ignores the rest of it",
			Hint: "do not write three dashes in a row inside the frontmatter"})
	}
}}

var sg103 = &Rule{ID: "SG103", Severity: Error, Fixes: true, Check: func(s *Skill, report Report) {
	f := s.Front
	text := s.Src.Text[f.Start:f.End]
	if !f.Closed || strings.HasPrefix(text, "{{") { // the source of a template
		return
	}
	p := Problem{Fix: quoteValues(s)}
	switch {
	case f.Err != nil:
		p.At, p.Text = s.yamlPlace(), "the frontmatter is not valid YAML: "+f.Err.Text
		if hostReads(text) {
			if s.part != "" {
				return // only Claude Code reads agents and commands
			}
			p.Severity = Warning
			p.Text += "; Claude Code repairs it, but other hosts read none of the fields"
		}
	case !f.Mapping && strings.TrimSpace(text) != "":
		p.At, p.Text = s.Src.Line(2), "the frontmatter is not a mapping of keys to values"
	case f.Mapping && len(f.outdented) > 0:
		p.At = s.Src.Line(s.Src.LineAt(f.outdented[0]))
		p.Text = "the continuation of a quoted value or list is not indented further than its key"
		p.Hint = "indent the continuation lines"
		p.Fix = &Fix{Label: "indent the lines"}
		for _, start := range f.outdented {
			p.Fix.Edits = append(p.Fix.Edits, Edit{start, start, "    "})
		}
		p.Fix = s.keepsYAML(p.Fix)
	case afterEnd(text) >= 0:
		p.At, p.Text = s.Src.Line(s.Src.LineAt(f.Start+afterEnd(text))), "the YAML ends here, but more lines follow"
	default:
		return
	}
	report(p)
}}

func (s *Skill) yamlPlace() source.Place {
	f := s.Front
	if f.Err.Text == "control characters are not allowed" {
		if i := strings.IndexFunc(s.Src.Text[f.Start:f.End], control); i >= 0 {
			return s.Src.Span(f.Start+i, f.Start+i+1)
		}
	}
	if f.Err.Col > 0 {
		start := s.Src.Offset(f.Err.Line, f.Err.Col)
		return s.Src.Span(start, start+1)
	}
	return s.Src.Line(f.Err.Line)
}

func control(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 && r != 0x85
}

func quoteValues(s *Skill) *Fix {
	fix := &Fix{Label: "put the value in quotation marks"}
	for _, k := range s.Front.Keys {
		if _, ok := s.Front.looseColon(s.Src, k); !ok {
			continue
		}
		from, to, ok := plainValue(s, k)
		if !ok {
			return nil
		}
		value := strings.Join(strings.Fields(s.Src.Text[from:to]), " ")
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		fix.Edits = append(fix.Edits, Edit{from, to, quoted})
	}
	if len(fix.Edits) == 0 {
		return nil
	}
	return s.keepsYAML(fix)
}

func plainValue(s *Skill, k Key) (from, to int, ok bool) {
	_, value, _ := strings.Cut(s.Src.Text[k.End:k.Until], ":")
	value = strings.TrimLeft(value, " \t")
	from = k.Until - len(value)
	value = strings.TrimRight(value, " \t\r\n")
	for i, line := range strings.Split(value, "\n") {
		if i > 0 && line != "" && line[0] != ' ' && line[0] != '\t' || strings.Contains(line, " #") {
			return 0, 0, false
		}
	}
	return from, from + len(value), value != ""
}

var sg111 = &Rule{ID: "SG111", Severity: Warning, Fixes: true, Check: func(s *Skill, report Report) {
	if strings.HasPrefix(s.Src.Text, catalog.BOM) {
		report(Problem{At: s.Src.Line(1), Text: "the file begins with a byte order mark (U+FEFF)",
			Fix: &Fix{"remove the byte order mark", []Edit{{0, len(catalog.BOM), ""}}}})
	}
}}

var sg113 = &Rule{ID: "SG113", Severity: Warning, Check: func(s *Skill, report Report) {
	first := map[string]int{}
	for _, k := range s.Front.Keys {
		if at, twice := first[k.Name]; twice {
			report.at(s.Src.Span(k.Start, k.End), "%s is already set on line %d", k.Name, at)
		} else {
			first[k.Name] = s.Src.LineAt(k.Start)
		}
	}
}}

var sg123 = &Rule{ID: "SG123", Severity: Error, Check: func(s *Skill, report Report) {
	raw := string(s.Raw)
	for i, r := range raw {
		if r == utf8.RuneError && !strings.HasPrefix(raw[i:], "�") {
			if !s.Large || i < len(raw)-3 { // the read limit may cut a character in two
				report.at(s.Src.Line(1+strings.Count(raw[:i], "\n")), "byte %#02x at offset %d is not UTF-8", raw[i], i)
			}
			return
		}
	}
}}

var sg124 = &Rule{ID: "SG124", Severity: Error, Check: func(s *Skill, report Report) {
	if i := strings.IndexByte(s.Src.Text, 0); i >= 0 {
		report(Problem{At: s.Src.Line(s.Src.LineAt(i)), Text: fmt.Sprintf("the file contains a NUL byte at offset %d", i),
			Severity: Warning.when(strings.Trim(s.Src.Text[i:], "\x00\r\n") == "")}) // hosts read the text before it
	}
}}

var sg125 = &Rule{ID: "SG125", Severity: Error, Check: func(s *Skill, report Report) {
	const limit = 1_000_000
	if size := max(s.Size, int64(len(s.Src.Text))); s.Large || size > limit {
		report.at(s.Src.Whole(), "the file has %d bytes (limit %d)", size, limit)
	}
}}

var sg126 = &Rule{ID: "SG126", Severity: Info, Check: func(s *Skill, report Report) {
	body := strings.TrimRight(s.BodyText(), "\r\n \t")
	if body == "" && s.Front.Closed {
		report(Problem{At: s.Src.Whole(), Text: "the body is empty", Severity: Warning,
			Hint: "write step-by-step instructions for the model"})
	}
	if n := strings.Count(body, "\n") + 1; n > maxLines && !s.Large {
		report.at(s.Src.Line(s.Src.LineAt(min(s.Front.Body, len(s.Src.Text)))),
			"the body has %d lines; at most %d are recommended", n, maxLines)
	}
}}

const maxLines = 500 // recommended by the specification

func info(line string) string { return strings.ToLower(strings.Trim(line, " \t`~")) }
