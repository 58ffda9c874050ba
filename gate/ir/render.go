package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
)

// MaxDescription is the maximum length of a description in the Agent Skills specification, in characters.
const MaxDescription = 1024

// Render returns the three-part description of x: what the skill does, when to use it in every language, and what it is
// not for, with the skill to use instead. left counts the triggers and boundaries that did not fit into MaxDescription
// characters. Boundaries are dropped only after every language has a single trigger left.
func (x *Intent) Render() (description string, left int) {
	triggers := map[string][]string{}
	for _, code := range x.Languages() {
		triggers[code] = x.Triggers[code]
	}
	boundaries := x.Boundaries
	for {
		description = x.compose(triggers, boundaries)
		if utf8.RuneCountInString(description) <= MaxDescription {
			return description, left
		}
		longest := ""
		for _, code := range x.Languages() {
			if n := len(triggers[code]); n > 1 && (longest == "" || n > len(triggers[longest])) {
				longest = code
			}
		}
		switch {
		case longest != "":
			triggers[longest] = triggers[longest][:len(triggers[longest])-1]
		case len(boundaries) > 0:
			boundaries = boundaries[:len(boundaries)-1]
		default:
			return shorten(description, MaxDescription), left + 1
		}
		left++
	}
}

func (x *Intent) compose(triggers map[string][]string, boundaries []Boundary) string {
	parts := []string{sentence(x.Intent)}
	english := lang.All[0]
	for _, code := range slices.Insert(slices.DeleteFunc(x.Languages(), func(c string) bool { return c == english.Code }),
		0, english.Code) {
		var quoted []string
		for _, t := range triggers[code] {
			quoted = append(quoted, `"`+strings.ReplaceAll(strings.TrimSpace(t), `"`, "'")+`"`)
		}
		if len(quoted) > 0 {
			parts = append(parts, fmt.Sprintf(cmp.Or(lang.Find(code), english).Says, strings.Join(quoted, ", ")))
		}
	}
	for _, one := range boundaries {
		l := lang.Find(lang.CodeOf(one.Not))
		if not := strings.TrimRight(strings.TrimSpace(one.Not), "."); one.Use == "" {
			parts = append(parts, fmt.Sprintf(l.Not, not))
		} else {
			parts = append(parts, fmt.Sprintf(l.NotUse, not, one.Use))
		}
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

func sentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") ||
		strings.HasSuffix(s, "。") {
		return s
	}
	return s + "."
}
