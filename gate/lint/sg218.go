package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/enrich"
)

var triggersInBody = &Rule{
	ID:       "SG218",
	Title:    "trigger phrases stand only in the body",
	Why:      "hosts choose by descriptions and read the body when the skill is chosen already; the gate too weighs what the body says least",
	Advice:   "move the phrases into the description, and add what users say who know only their problem",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Fixes:    true,
	Bad: file("reclaim", "---\nname: reclaim\ndescription: Frees disks of build servers that run full.\n---\n# reclaim\n\n## Triggers\n\n"+
		"Use when the user says \"clean the build server\", \"the disk is full\", \"빌드 서버 정리\", \"디스크가 꽉 찼어\".\n"),
	Good: file("reclaim", "---\nname: reclaim\ndescription: Frees disks of build servers that run full. Use when the user says \"clean the build server\", \"the disk is full\", \"빌드 서버 정리\".\n---\n# reclaim\n\n## Triggers\n\n"+
		"Use when the user says \"clean the build server\", \"the disk is full\", \"빌드 서버 정리\", \"디스크가 꽉 찼어\".\n"),
	Check: func(s *Skill, report Report) {
		if !s.Described() || internalOnly(s) {
			return
		}
		said := 0
		for _, t := range s.Triggers {
			if s.says(t) {
				said++
			}
		}
		if said >= fewSaid {
			return // a choice of the body's phrases is in the description
		}
		phrases, at := s.bodyTriggers()
		have := strings.ToLower(s.Text())
		var missing []string
		for _, p := range phrases {
			if !strings.Contains(have, strings.ToLower(p)) {
				missing = append(missing, p)
			}
		}
		if len(missing) < fewSaid || 2*len(missing) <= len(phrases) {
			return
		}
		move := bothLanguages(missing, maxMoved)
		report(Problem{
			At:   at,
			Text: fmt.Sprintf("the body lists %d phrases that users say, the description has %d of them", len(phrases), len(phrases)-len(missing)),
			Hint: fmt.Sprintf("add to the description: Use when the user says %s", quoteList(move, len(move))),
			Fix:  s.addTriggers(move),
		})
	},
}

const (
	fewSaid  = 3  // phrases; with fewer a list is not one
	maxMoved = 10 // phrases that a description is given
)

var (
	triggerHeading = lazy(`(?i)^#{1,6}\s*(triggers?( phrases?| words?| conditions?)?|when to (use|activate|invoke)( this skill)?|use when|activation( phrases?| triggers?)?|트리거|사용 시점|언제 사용.*)\s*:?\s*$`)
	refusalStart   = lazy(`(?i)do not use|don't use|not for\b|when not|사용하지|쓰지 않`)
	quotedPhrase   = lazy(`["“]([^"“”]{4,60})["”]`)
	openPlace      = lazy(`[{}<>\[\]_*|…]|\.\.\.|\b[XYZN]\b`)
)

// bodyTriggers lists the phrases in quotation marks below the body's heading about
// when to use the skill, each once, and where the heading stands.
func (s *Skill) bodyTriggers() (phrases []string, at Place) {
	in := false
	seen := map[string]bool{}
	s.eachLine(func(l bodyLine) bool {
		switch {
		case l.code || l.fence || l.text == "":
		case l.text[0] == '#':
			if in {
				return false
			}
			if in = triggerHeading.get().MatchString(l.text); in {
				at = s.Src.Span(l.start, l.start+len(l.text))
			}
		case in:
			text := l.text
			if m := refusalStart.get().FindStringIndex(text); m != nil {
				text, in = text[:m[0]], false
			}
			for _, m := range quotedPhrase.get().FindAllStringSubmatch(text, -1) {
				p := strings.TrimSpace(m[1])
				if key := strings.ToLower(p); !seen[key] && sayable(p) {
					seen[key] = true
					phrases = append(phrases, p)
				}
			}
			return in
		}
		return true
	})
	return phrases, at
}

// sayable reports whether a phrase is something that a user may say as it is: more
// than one English word, and without a place left open.
func sayable(p string) bool {
	return !openPlace.get().MatchString(p) && !strings.HasPrefix(p, "/") && (hasHangul(p) || len(strings.Fields(p)) > 1)
}

// bothLanguages takes at most n phrases, half of them Korean where there are enough.
func bothLanguages(list []string, n int) []string {
	var ko, en []string
	for _, p := range list {
		if hasHangul(p) {
			ko = append(ko, p)
		} else {
			en = append(en, p)
		}
	}
	k := min(len(ko), max(n/2, n-len(en)))
	return append(spread(en, n-k), spread(ko, k)...)
}

// addTriggers is the change that adds phrases to the description, nil where they
// cannot be added.
func (s *Skill) addTriggers(phrases []string) *Fix {
	text := s.Src.Text
	m := frontmatterText.get().FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	next, err := enrich.WithTriggers(text, text[m[2]:m[3]], phrases)
	if err != nil {
		return nil
	}
	start, end := 0, 0
	for start < len(text) && start < len(next) && text[start] == next[start] {
		start++
	}
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text)-start && end < len(next)-start && text[len(text)-1-end] == next[len(next)-1-end] {
		end++
	}
	for end > 0 && !utf8.RuneStart(text[len(text)-end]) {
		end--
	}
	return s.keepsYAML(&Fix{Label: "add the phrases to the description", Edits: []Edit{{start, len(text) - end, next[start : len(next)-end]}}})
}

var frontmatterText = lazy(`(?s)\A---\n(.*?\n)---`)
