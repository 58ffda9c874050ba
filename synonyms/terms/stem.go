package terms

import (
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// Stem returns the stem of a lower-case word by Snowball's English stemmer, after unifying spelling variants that
// Snowball distinguishes. Words in other alphabets are returned unchanged.
func Stem(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	if len(w) < 4 { // "aws", "gas" and "ios" are not plurals
		return w
	}
	if s := spelling(w); s != "" {
		return s
	}
	if abbreviations(w) {
		return w[:len(w)-1]
	}
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}

// abbreviations reports whether w is the plural of an abbreviation without a vowel, such as "rfcs" or "llms". Snowball
// does not remove its s.
func abbreviations(w string) bool {
	return len(w) <= 5 && w[len(w)-1] == 's' && w[len(w)-2] != 's' && !strings.ContainsAny(w, "aeiouy")
}

// spelling returns the stem of a word whose forms have different Snowball stems, or "".
func spelling(w string) string {
	if stem := vocab.Stems.Text(w); stem != "" {
		return stem
	}
	// British -ise and -isation become -ize and -ization.
	if n := len(w); n > 6 {
		for _, suffix := range []struct{ british, american string }{
			{"isations", "izations"}, {"isation", "ization"}, {"ising", "izing"}, {"ised", "ized"}, {"iser", "izer"},
			{"ises", "izes"}, {"ise", "ize"},
		} {
			if len(w) > len(suffix.british)+3 && w[n-len(suffix.british):] == suffix.british && !keepsS(w) {
				env := snowballstem.NewEnv(w[:n-len(suffix.british)] + suffix.american)
				english.Stem(env)
				return env.Current()
			}
		}
	}
	return ""
}

func keepsS(w string) bool { return vocab.KeepsS.Begins(w) }
