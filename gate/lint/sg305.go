package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var missingNeighbour = &Rule{
	ID:       "SG305",
	Title:    "boundary names a skill that is not there",
	Why:      "the model is sent to a skill that it cannot load; the name may be a skill that was renamed",
	Advice:   "name an installed skill, or say only what this one is not for",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	NeedsAll: true,
	Bad: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when a task names a form. Do NOT use for joining files (use pdf-joiner)."),
		skill("pdf-merge", "Joins PDF files into one."),
	}},
	Good: Example{Files: []ExampleFile{
		skill("pdf", "Fills PDF forms. Use when a task names a form. Do NOT use for joining files (use pdf-merge)."),
		skill("pdf-merge", "Joins PDF files into one."),
	}},
	Within: func(l *Library, s *Skill, report Report) {
		seen := map[string]bool{}
		for _, b := range s.Boundaries {
			for _, use := range b.Use {
				if seen[use] || len(l.Named(use)) > 0 || s.noSkill(use) {
					continue
				}
				seen[use] = true
				report(Problem{At: s.boundaryPlace(b.Not, use), Text: fmt.Sprintf("there is no skill %q", use), Hint: l.perhaps(s, use)})
			}
		}
	},
}

// boundaryPlace is the name of a skill where it stands behind what it is to be used for.
func (s *Skill) boundaryPlace(not, use string) Place {
	for _, key := range []string{"description", "when_to_use"} {
		k, ok := s.Front.Key(key)
		if !ok {
			continue
		}
		if _, end, ok := s.Src.find(not, k.End, k.Until); ok {
			if from, to, ok := s.Src.find(use, end, k.Until); ok {
				return s.Src.Span(from, to)
			}
		}
	}
	return s.InDescription(use)
}

// noSkill reports whether the text says that a name behind "use" is something else
// than one skill: a rule, a document, a server, a group of skills, or a program that
// the body runs.
func (s *Skill) noSkill(use string) bool {
	text := s.Text()
	for at := 0; ; {
		i := strings.Index(text[at:], use)
		if i < 0 {
			break
		}
		i += at
		at = i + len(use)
		if otherKind.get().MatchString(text[at:]) || !strings.Contains(use, "-") && strings.HasPrefix(text[at:], " directly") {
			return true
		}
	}
	return s.runs(use)
}

// otherKind finds, behind a name, the word that says what kind of thing it is.
var otherKind = lazy(`(?i)^[\x60"']?(-?\*|\s+(prd|rules?|mcp|cli|api|sdk|reference|references|commands?|librar(y|ies)|tools?|package|plugin|agents?|subagent|server|scripts?|docs?|guide|skills|workflows?)\b)`)

// runs reports whether the body runs name as a program or imports it.
func (s *Skill) runs(name string) bool {
	found := false
	s.eachLine(func(l bodyLine) bool {
		i := strings.Index(l.text, name)
		if i < 0 {
			return true
		}
		before, after := strings.TrimSpace(l.text[:i]), l.text[i+len(name):]
		switch {
		case strings.HasSuffix(before, "import"), strings.Contains(before, "install"):
			found = true
		case l.code && (before == "" || before == "$"), strings.HasSuffix(before, "`"):
			found = strings.HasPrefix(after, " ") || strings.HasPrefix(after, "`") && l.code
		}
		return !found
	})
	return found
}

// perhaps names the skills that a missing name in s may stand for.
func (l *Library) perhaps(s *Skill, name string) string {
	name = strings.ToLower(name)
	var longer []string
	for _, n := range sortedNames(l.names) {
		if l.names[n][0] != s && (strings.HasSuffix(n, "-"+name) || strings.HasPrefix(n, name+"-")) {
			longer = append(longer, n)
		}
	}
	switch {
	case len(longer) > 3:
		return fmt.Sprintf("%s and %d more begin or end so: name one of them", strings.Join(longer[:3], ", "), len(longer)-3)
	case len(longer) > 0:
		return fmt.Sprintf("perhaps %s was meant", strings.Join(longer, " or "))
	}
	for rest := name; ; {
		_, after, ok := strings.Cut(rest, "-")
		if !ok || !strings.Contains(after, "-") && len(l.names[after]) == 0 {
			break
		}
		if len(l.names[after]) > 0 {
			return fmt.Sprintf("perhaps %s was meant", after)
		}
		rest = after
	}
	if near := l.nearest(name); near != "" {
		return fmt.Sprintf("perhaps %s was meant", near)
	}
	return ""
}

// nearest returns the name that differs from name in one or two letters, as a slip
// of the pen does, "" where there is none.
func (l *Library) nearest(name string) string {
	letters := utf8.RuneCountInString(name)
	best, limit := "", min(2, letters/4)
	for _, n := range sortedNames(l.names) {
		if d := utf8.RuneCountInString(n) - letters; d > limit || -d > limit {
			continue
		}
		if d := distance(name, n); d <= limit {
			best, limit = n, d-1
		}
	}
	return best
}
