package ir

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/clip"
	"github.com/skillgate/skillgate/synonyms/lang"
)

// Draft makes an intent from an existing skill. It takes the first sentence of its capability, the phrases that users
// say, sorted by language, the boundaries, the list items under headings about inputs, outputs and preconditions, and
// the given files that the body mentions. The phrases come from catalog.Said. If they are few, Draft adds phrases from
// the body's section about when to use the skill; if there are none, it takes e.Triggers. All
// other fields stay empty for the author to fill in. Each of languages without triggers gets an empty list.
func Draft(e catalog.Entry, files, languages []string) *Intent {
	x := &Intent{
		Intent:        firstSentence(e.Capability),
		Triggers:      map[string][]string{},
		Inputs:        section(e.Body, inputHeading()),
		Outputs:       section(e.Body, outputHeading()),
		Preconditions: section(e.Body, beforeHeading()),
	}
	for _, code := range languages {
		x.Triggers[code] = []string{}
	}
	triggers, boundaries := catalog.Said(e.Description, e.WhenToUse), e.Boundaries
	if len(triggers) < fewTriggers {
		more, limits := usage(e.Name, e.Body)
		triggers = slices.Concat(triggers, more)
		if len(boundaries) == 0 {
			boundaries = limits
		}
	}
	if len(triggers) == 0 {
		triggers = e.Triggers
	}
	seen := map[string]bool{}
	for _, t := range triggers {
		t = strings.TrimSpace(t)
		key := strings.ToLower(t)
		code := lang.CodeOf(t)
		if key == "" || seen[key] || utf8.RuneCountInString(t) > maxPhrase || len(x.Triggers[code]) == maxTriggers {
			continue
		}
		seen[key] = true
		x.Triggers[code] = append(x.Triggers[code], t)
	}
	for _, b := range boundaries {
		if len(x.Boundaries) == maxItems {
			break
		}
		one := Boundary{Not: b.Not}
		if len(b.Use) > 0 {
			one.Use = b.Use[0]
		} else if m := neighbour().FindStringSubmatch(b.Not); m != nil {
			one.Use = m[1]
		}
		x.Boundaries = append(x.Boundaries, one)
	}
	for _, f := range files {
		if f != File && strings.Contains(e.Body, f) && len(x.References) < maxItems {
			x.References = append(x.References, f)
		}
	}
	// Empty lists are written as [], so that the author sees what is missing.
	for _, list := range []*[]string{&x.Inputs, &x.Outputs, &x.References} {
		if *list == nil {
			*list = []string{}
		}
	}
	if x.Boundaries == nil {
		x.Boundaries = []Boundary{}
	}
	return x
}

// neighbour matches the name of the other skill in the words of a boundary: "… belong to pdf-merge".
var neighbour = lazy(`\b(?:belongs? to|see|go(?:es)? to|handled by|covered by)\s+` + "`?" +
	`([a-z0-9]+(?:-[a-z0-9]+)+)\b`)

func firstSentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if i := sentenceEnd(s); i > 0 {
		s = s[:i]
	}
	head := shorten(s, maxIntent)
	if i := strings.LastIndexAny(head, ",;:(—–"); head != s && i > len(head)/3 {
		return strings.TrimRight(head[:i], " ,;:(—–") + "."
	}
	return head
}

func sentences(s string) int {
	n := 0
	for s = strings.TrimSpace(s); s != ""; n++ {
		i := sentenceEnd(s)
		if i <= 0 {
			return n + 1
		}
		s = strings.TrimSpace(s[i:])
	}
	return n
}

func sentenceEnd(s string) int {
	for i, r := range s {
		if r != '.' && r != '!' && r != '?' && r != '。' {
			continue
		}
		rest := s[i+utf8.RuneLen(r):]
		if rest == "" {
			return len(s)
		}
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
		if rest[0] != ' ' || abbreviation(s[:i]) {
			continue
		}
		if unicode.IsUpper(next) || lang.Caseless(next) || next == '"' || next == '(' {
			return i + utf8.RuneLen(r)
		}
	}
	return 0
}

func abbreviation(s string) bool {
	i := strings.LastIndexAny(s, " (")
	switch strings.ToLower(s[i+1:]) {
	case "e.g", "i.e", "etc", "vs", "cf", "dr", "mr", "ms", "no", "inc", "ltd", "st":
		return true
	}
	return utf8.RuneCountInString(s[i+1:]) == 1 && s[i+1:] != "다"
}

func shorten(s string, max int) string {
	head := clip.Chars(s, max)
	if i := strings.LastIndexByte(head, ' '); i > 0 && head != s {
		return strings.TrimRight(head[:i], " ,;:")
	}
	return head
}
