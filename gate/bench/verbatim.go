package bench

import (
	"cmp"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Verbatim returns cases whose prompts are phrases quoted in exactly one skill's description, outside exclusion
// clauses. A user who types such a phrase must get that skill. Korean phrases have at least four characters, others at
// least two words. Verbatim draws at most n phrases per language, always the same ones.
func Verbatim(entries []catalog.Entry, n int) []Case {
	quoted := regexp.MustCompile(`["“「]([^"”」\n]{2,80})["”」]|(?:^|[^\pL\pN])'([^'\n]{2,80})'(?:$|[^\pL\pN])`)
	by := map[string][]string{} // IDs of the skills that quote a phrase, by phrase
	for _, e := range entries {
		text := e.Description + "\n" + e.WhenToUse
		seen := map[string]bool{}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			phrase := strings.TrimSpace(m[1] + m[2])
			key := strings.ToLower(strings.TrimRight(phrase, ".,!? "))
			if seen[key] || excluded(e, phrase) {
				continue
			}
			seen[key] = true
			by[key] = append(by[key], e.ID)
		}
	}
	var korean, other []Case
	for phrase, ids := range by {
		if len(ids) > 1 {
			continue
		}
		c := Case{ID: ids[0] + " " + hashName(phrase), Query: phrase, Source: ids[0], Need: Skill, Right: ids}
		switch {
		case strings.ContainsFunc(phrase, func(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 }):
			if utf8.RuneCountInString(phrase) >= 4 {
				c.Lang, c.Groups = "ko", []string{"Korean"}
				korean = append(korean, c)
			}
		case len(strings.Fields(phrase)) > 1:
			c.Lang, c.Groups = "en", []string{"not Korean"}
			other = append(other, c)
		}
	}
	return slices.Concat(draw(korean, n), draw(other, n))
}

func excluded(e catalog.Entry, phrase string) bool {
	return slices.ContainsFunc(e.Boundaries, func(b catalog.Boundary) bool { return strings.Contains(b.Not, phrase) })
}

// draw returns at most n cases. Which cases it returns does not depend on their order.
func draw(cases []Case, n int) []Case {
	slices.SortFunc(cases, func(a, b Case) int {
		return cmp.Or(cmp.Compare(hash(a.ID), hash(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return cases[:min(n, len(cases))]
}

func hash(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

func hashName(s string) string {
	const digits = "0123456789abcdef"
	h := hash(s)
	b := make([]byte, 8)
	for i := range b {
		b[i] = digits[h>>(4*i)&15]
	}
	return string(b)
}
