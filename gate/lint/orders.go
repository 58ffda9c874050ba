package lint

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var sg503 = &Rule{ID: "SG503", Severity: Info, Risk: 0.5, Check: func(s *Skill, report Report) {
	scanProse(s, "SG503", quotesAttack, func(h hit) { report(s.inProse(h)) })
}}

// scanProse is scanLines for prose patterns, over SKILL.md with its paragraphs on one line each and over the scripts
// as they are.
func scanProse(s *Skill, rule string, skip func(s *Skill, h hit) bool, report func(h hit)) {
	texts, patterns := s.texts(), safety().byRule[rule+"prose"]
	spoken := func(p *pattern) bool { return texts[0].hasAny(p.Keywords) }
	if len(texts[0].other) == 0 && !slices.ContainsFunc(patterns, spoken) {
		scanTexts(s, texts[1:], patterns, skip, report)
		return
	}
	if s.prose == nil {
		s.prose = &textFile{}
		*s.prose = newText(NewSource(s.Src.Path, paragraphs(s.Src.Text)), false)
	}
	scanTexts(s, append([]textFile{*s.prose}, texts[1:]...), patterns, skip, report)
}

func (s *Skill) inProse(h hit) Problem {
	p := h.says()
	if !h.t.script {
		p.At = s.Src.Span(h.start, h.end)
	}
	return p
}

func paragraphs(text string) string {
	b := []byte(text)
	last, at := bodyLine{}, 0
	eachLine(text, 0, func(l bodyLine) bool {
		if at > 0 && !l.code && !l.fence && !last.code && !last.fence && flows(last.text) && continues(l.text) {
			for i := last.start + len(last.text); i < l.start; i++ {
				b[i] = ' '
			}
		}
		last, at = l, at+1
		return true
	})
	return string(b)
}

func flows(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && t != "---" && t[0] != '#' && t[0] != '|' && !strings.HasSuffix(t, "-->") &&
		!strings.HasSuffix(t, ":")
}

func continues(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && t != "---" && !strings.ContainsRune("#|>-*+[<!", rune(t[0])) && !named("startsItem").MatchString(t)
}

func quotesAttack(s *Skill, h hit) bool {
	before, behind := leadIn(h.line, h.from), h.line[h.to:]
	if h.t.script {
		shown := insideQuotes(h.line, h.from) && (s.onSecurity() && !named("printed").MatchString(h.line[:h.from]) ||
			h.inTest(s) && !h.t.shell() && !h.told())
		return shown || named("attackSearched").MatchString(before) || named("searchedIn").MatchString(behind) ||
			inListOfStrings(h.line, h.from) || strings.Contains(h.line, `r"`) || strings.Contains(h.line, `r'`)
	}
	if named("madeComment").MatchString(h.line) {
		return false
	}
	if insideQuotes(h.line, h.from) || strings.HasSuffix(h.line[:h.from], "**") && named("labelEnd").MatchString(
		behind) || named("speaksOf").MatchString(before) || named("isAttack").MatchString(behind) ||
		strings.ContainsAny(h.line, "❌🚫⛔") || s.labelled(h.t, h.n, h.from) {
		return true
	}
	if !s.onSecurity() {
		return false
	}
	line := strings.TrimSpace(h.line)
	return strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") ||
		named("attackWord").MatchString(line) || h.t.src.inCode(h.n)
}

// inTest reports whether a script is a test by its name or by a folder of the skill: what it quotes is
// what the program under test is given.
func (h hit) inTest(s *Skill) bool {
	return named("testName").MatchString(strings.TrimPrefix(h.t.src.Path, path.Dir(s.Src.Path)))
}

// told reports whether a script tells its reader the text that matched: it prints the
// text, or what it has set from it, or returns it.
func (h hit) told() bool {
	text := regexp.MustCompile(regexp.QuoteMeta(h.text()))
	f := flowFrom(h.t.src.Text, text)
	return slices.ContainsFunc(statements(h.t.src.Text), func(one string) bool {
		if at := text.FindStringIndex(one); at != nil {
			literal := literalAt(one, at[0]) // whose own words tell nothing
			one = strings.Replace(one, literal, "", 1)
			return named("tells").MatchString(one)
		}
		return named("tells").MatchString(one) && f.in(one)
	})
}

func (s *Source) inCode(n int) bool {
	in := false
	eachLine(s.Text, 0, func(l bodyLine) bool {
		if l.start > int(s.lines[n-1]) {
			return false
		}
		in = l.code
		return true
	})
	return in
}

var sg511 = &Rule{ID: "SG511", Severity: Info, Risk: 0.3, Check: func(s *Skill, report Report) {
	if m := named("hostTag").FindStringIndex(s.Description); m != nil {
		report.at(s.InDescription(s.Description[m[0]:m[1]]), "the description holds %s", s.Description[m[0]:m[1]])
	}
	scanLines(s, "SG511", markupShown, func(h hit) { report(h.says()) })
}}

// markupShown skips markup that is spoken of and not used. Of a script the model reads what it prints; in a shell any
// line may be printed, as part of a here-document.
func markupShown(s *Skill, h hit) bool {
	start := int(h.t.src.lines[h.n-1])
	if start < s.Front.Body && !h.t.script {
		return true // the frontmatter
	}
	if h.t.script {
		return h.p.ID != "host-element" || named("attackSearched").MatchString(h.line) ||
			!h.t.shell() && !named("printed").MatchString(h.line[:h.from])
	}
	code := h.t.src.inCode(h.n)
	if h.p.ID == "dialogue" {
		return code || !strings.Contains(h.t.src.Text[start:], "\n\nAssistant: ")
	}
	before := leadIn(h.line, h.from)
	return h.p.ID == "host-markup" && code || insideQuotes(h.line, h.from) || named("warnsBefore").MatchString(before) ||
		named("speaksOf").MatchString(before) || s.labelled(h.t, h.n, h.from) ||
		s.onSecurity() && strings.HasPrefix(strings.TrimSpace(h.line), "|")
}
