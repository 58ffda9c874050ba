package safety

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// Orders reports prose that orders a model to act against its user.
func Orders(s *Skill, report func(Finding)) {
	scanProse(s, "SG503", quotesAttack, func(h hit) { report(s.inProse(h)) })
	for _, src := range s.shown { // an example of an attack need not be invisible
		unseen := slices.DeleteFunc(slices.Clone(safety().byRule["SG503prose"]), func(p *pattern) bool { return !p.Unseen })
		scanTexts(s, []*textFile{newText(src, false)}, unseen, quotesAttack, func(h hit) { report(h.finding()) })
	}
}

func scanProse(s *Skill, rule string, skip func(s *Skill, h hit) bool, report func(h hit)) {
	texts, patterns := slices.Clone(s.texts()), safety().byRule[rule+"prose"]
	if s.prose == nil {
		s.prose = make([]*textFile, len(texts))
	}
	for i, t := range texts {
		occurs := func(p *pattern) bool { return t.hasAny(p.Keywords) }
		if s.prose[i] == nil && !t.script && (len(t.deobfuscated) > 0 || slices.ContainsFunc(patterns, occurs)) {
			s.prose[i] = newText(source.New(t.src.Path, paragraphs(t.src.Text)), false)
		}
		texts[i] = cmp.Or(s.prose[i], t)
	}
	scanTexts(s, texts, patterns, skip, report)
}

func (s *Skill) inProse(h hit) Finding {
	p := h.finding()
	p.Shown = !h.t.script && inCode(h.t.src, h.n)
	for _, t := range s.texts() {
		if t.src.Path == h.t.src.Path {
			p.At = t.src.Span(h.start, h.end)
		}
	}
	return p
}

func paragraphs(text string) string {
	b := []byte(text)
	var last source.Line
	for l := range source.EachLine(text, 0) {
		if !l.Code && !l.Fence && !last.Code && !last.Fence && flows(last.Text) && continues(l.Text) {
			copy(b[last.Start+len(last.Text):l.Start], "  ") // the line break
		}
		last = l
	}
	return string(b)
}

func flows(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && t != "---" && t[0] != '#' && t[0] != '|' && !strings.HasSuffix(t, "-->") &&
		!strings.HasSuffix(t, ":")
}

func continues(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && t != "---" && !strings.ContainsRune("#|>-*+[<!", rune(t[0])) && !expr("startsItem").MatchString(t)
}

func quotesAttack(s *Skill, h hit) bool {
	before, after := leadIn(h.line, h.from), h.line[h.to:]
	if h.t.script {
		quoted := insideQuotes(h.line, h.from) && (s.onSecurity() && !expr("printed").MatchString(h.line[:h.from]) ||
			h.inTest(s) && !h.t.shell() && !h.flowsTo("tells") ||
			h.n > 1 && expr("looksLikeOrders").MatchString(h.t.src.LineText(h.n-1)))
		return quoted || expr("detector").MatchString(h.t.src.Path) && !h.flowsTo("tells") ||
			expr("attackSearched").MatchString(before) ||
			expr("searchedIn").MatchString(after) || inListOfStrings(h.line, h.from) ||
			strings.Contains(h.line, `r"`) || strings.Contains(h.line, `r'`)
	}
	if expr("madeComment").MatchString(h.line) {
		return false
	}
	if insideQuotes(h.line, h.from) || strings.HasSuffix(h.line[:h.from], "**") && expr("labelEnd").MatchString(
		after) || expr("speaksOf").MatchString(before) || expr("isAttack").MatchString(after) ||
		strings.ContainsAny(h.line, "❌🚫⛔") || s.labelled(h.t, h.n, h.from) ||
		strings.HasSuffix(h.t.src.Path, ".csv") && expr("badColumn").MatchString(h.t.src.LineText(1)) {
		return true
	}
	if !s.onSecurity() || strings.HasPrefix(h.p.What, "hides") {
		return false
	}
	line := strings.TrimSpace(h.line)
	return strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") ||
		expr("attackWord").MatchString(line) || inCode(h.t.src, h.n)
}

func (h hit) inTest(s *Skill) bool {
	return expr("testName").MatchString(strings.TrimPrefix(h.t.src.Path, path.Dir(s.Page.Path)))
}

// flowsTo reports whether a statement that matches the named expression contains the match or a variable with it.
func (h hit) flowsTo(named string) bool {
	text := regexp.MustCompile(regexp.QuoteMeta(h.text()))
	f := flowFrom(h.t.src.Text, text)
	return slices.ContainsFunc(statements(h.t.src.Text), func(one string) bool {
		code := expr("stringLiteral").ReplaceAllString(one, `""`)
		return expr(named).MatchString(code) && (text.MatchString(one) || f.in(one))
	})
}

func inCode(src *source.File, n int) bool {
	for l := range source.EachLine(src.Text, 0) {
		if l.Start >= src.LineStart(n) {
			return l.Code
		}
	}
	return false
}

// Markup reports markup that hosts reserve for their own messages to a model.
func Markup(s *Skill, report func(Finding)) {
	if m := expr("hostTag").FindStringIndex(s.Description); m != nil {
		mark := s.Description[m[0]:m[1]]
		report(Finding{Phrase: mark, Text: "the description contains " + mark + ", which is reserved for the host"})
	}
	scanLines(s, "SG511", markupShown, func(h hit) { report(h.finding()) })
}

func markupShown(s *Skill, h hit) bool {
	start := h.t.src.LineStart(h.n)
	if start < s.Body && h.t.src == s.Page {
		return true // in the frontmatter
	}
	if h.t.script {
		return h.inTest(s) || h.p.ID != "host-element" || expr("attackSearched").MatchString(h.line) ||
			!h.t.shell() && !expr("printed").MatchString(h.line[:h.from])
	}
	if mark := h.text(); mark == strings.ToUpper(mark) && strings.HasPrefix(mark, "<") &&
		!strings.Contains(h.t.src.Text, "</"+mark[1:]) {
		return true // a placeholder
	}
	code := inCode(h.t.src, h.n)
	if h.p.ID == "dialogue" {
		return code || !strings.Contains(h.t.src.Text[start:], "\n\nAssistant: ")
	}
	before := leadIn(h.line, h.from)
	return h.p.ID == "host-markup" && code || insideQuotes(h.line, h.from) || expr("warnsBefore").MatchString(before) ||
		expr("speaksOf").MatchString(before) || s.labelled(h.t, h.n, h.from) ||
		s.onSecurity() && strings.HasPrefix(strings.TrimSpace(h.line), "|")
}
