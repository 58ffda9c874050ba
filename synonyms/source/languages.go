package source

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/synonyms/internal/table"
	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/ko/inflect"
)

// inflected is a language whose inflected forms are generated from a headword. For languages without spaces, which are
// not listed here, the files contain all forms.
type inflected struct {
	*lang.Language
	has      func(rune) bool                       // reports whether a word can contain the letter
	key      func(word string) string              // returns the part that all spellings of a word share
	verb     func(headword string) bool            // reports whether a headword is a verb or adjective
	surfaces func(headword string) []table.Surface // returns the forms of a headword
	affixes  func() map[string][]uint32            // returns the affixes that may follow a form, as keys of a trie
}

var languages = [...]inflected{
	{&lang.Korean, inflect.Has, inflect.Key, inflect.Verb, inflect.Surfaces, inflect.Affixes},
}

func (l *inflected) part() string { return strings.ToLower(l.Name) }

func inflectedOf(word string) *inflected {
	for i := range languages {
		if strings.ContainsFunc(word, languages[i].has) {
			return &languages[i]
		}
	}
	return nil
}

func surfaces(word string) []table.Surface {
	if l := inflectedOf(word); l != nil {
		return l.surfaces(word)
	}
	return languages[0].surfaces(word) // Check reports words in other scripts
}

func isVerb(word string) bool {
	l := inflectedOf(word)
	return l != nil && l.verb(word)
}

func affixes() map[string][]uint32 {
	out := map[string][]uint32{}
	for _, l := range languages {
		for form, ways := range l.affixes() {
			out[form] = append(out[form], ways...)
		}
	}
	return out
}

func parts() []string {
	var out []string
	for i := range languages {
		out = append(out, languages[i].part())
	}
	return append(out, spaceless)
}

const spaceless = "spaceless"

func scripts() string {
	var out []string
	for _, l := range languages {
		out = append(out, l.ScriptName)
	}
	return strings.Join(slices.Compact(out), " or ")
}
