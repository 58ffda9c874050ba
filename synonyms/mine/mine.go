// Package mine proposes Korean/English pairs that a bilingual library suggests and
// the dictionary lacks.
//
// A text of such a library, say a skill's description with its triggers, often says
// the same thing in both languages. Words of a text that the dictionary already
// joins explain each other and are set aside; what is left over in both languages
// is counted. A Korean word k and an English word e that occur in n(k) and n(e) of N
// texts, and together in n(k,e), are associated by the log-likelihood ratio of the
// two by two table (Dunning 1993)
//
//	G² = 2 Σ observed · ln(observed / expected)
//
// and by PMI, log2(n(k,e)·N / (n(k)·n(e))). Pairs are taken greedily, best G² first,
// and each word is used once (competitive linking, Melamed 2000): a word that goes
// with another one better is not a translation of this one.
//
// The result is a list for a person to choose from. Nothing here is random, and
// equal texts in equal order give equal pairs.
package mine

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// Pair is a proposal.
type Pair struct {
	Korean  string  `json:"korean"`  // a headword, or an unknown word as the texts have it
	English string  `json:"english"` // the commonest spelling of its stem
	Stem    string  `json:"stem"`
	Both    int     `json:"both"`          // texts with both words
	OfKo    int     `json:"korean_texts"`  // texts with the Korean one left over
	OfEn    int     `json:"english_texts"` // texts with the English one left over
	G2      float64 `json:"g2"`            // log-likelihood ratio; 10.8 is one chance in a thousand
	PMI     float64 `json:"pmi"`           // bits
}

// Options limit what is proposed.
type Options struct {
	Least   int                    // texts that must hold both words, 1 or more
	General func(stem string) bool // English words too general to be a sense; nil: none
}

// minG2 is where chance ends: the value that the square of chi with one degree of
// freedom passes once in a thousand.
const minG2 = 10.83

// Pairs returns the pairs that texts suggest beyond what dict knows, strongest first.
func Pairs(texts []string, dict *synonyms.Dict, o Options) []Pair {
	c := counter{dict: dict, general: o.General, korean: words{}, english: words{}, both: map[[2]int]int{},
		spelled: map[string]map[string]int{}}
	for _, text := range texts {
		c.add(text)
	}
	return c.pairs(max(o.Least, 1))
}

// word is one word's number and how many texts it is left over in.
type word struct{ n, texts int }

type words map[string]*word

// of returns the word's record, made where it is new.
func (w words) of(text string) *word {
	r := w[text]
	if r == nil {
		r = &word{n: len(w)}
		w[text] = r
	}
	return r
}

type counter struct {
	dict            *synonyms.Dict
	general         func(string) bool
	texts           int // texts with words of both languages
	korean, english words
	both            map[[2]int]int
	spelled         map[string]map[string]int // spellings of a stem
}

// add counts one text.
func (c *counter) add(text string) {
	korean, english := c.koreanOf(text), c.englishOf(text)
	if len(korean) == 0 || len(english) == 0 {
		return
	}
	c.texts++
	korean, english = c.unexplained(korean, english)
	var en []*word
	for _, e := range english {
		r := c.english.of(e)
		r.texts++
		en = append(en, r)
	}
	for _, k := range korean {
		r := c.korean.of(k)
		r.texts++
		for _, e := range en {
			c.both[[2]int{r.n, e.n}]++
		}
	}
}

// koreanOf returns the distinct Korean words of text that say something.
func (c *counter) koreanOf(text string) []string {
	var out []string
	for _, w := range c.dict.Words(terms.Normal(text)) {
		if !w.Generic && utf8.RuneCountInString(w.Text) > 1 {
			out = append(out, w.Text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// englishOf returns the distinct stems of text that say something, and remembers
// how they are spelled.
func (c *counter) englishOf(text string) []string {
	text = terms.Normal(text)
	var out []string
	for _, t := range terms.Scan(text) {
		if t.Kind != terms.Word || len(t.Text) < 3 || c.general != nil && c.general(t.Text) {
			continue
		}
		out = append(out, t.Text)
		if c.spelled[t.Text] == nil {
			c.spelled[t.Text] = map[string]int{}
		}
		c.spelled[t.Text][strings.ToLower(text[t.Start:t.End])]++
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unexplained leaves out the words that the dictionary joins with one of the other
// language in the same text.
func (c *counter) unexplained(korean, english []string) (ko, en []string) {
	explained := map[string]bool{}
	for _, k := range korean {
		for _, sense := range c.dict.Stems(k) {
			for stem := range strings.FieldsSeq(sense) {
				if _, found := slices.BinarySearch(english, stem); found {
					explained[k], explained[stem] = true, true
				}
			}
		}
	}
	left := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return explained[w] })
	}
	return left(korean), left(english)
}

// pairs scores what was counted and links it.
func (c *counter) pairs(least int) []Pair {
	korean, english := byNumber(c.korean), byNumber(c.english)
	var all []Pair
	for key, both := range c.both {
		if both < least {
			continue
		}
		k, e := korean[key[0]], english[key[1]]
		p := Pair{Korean: k, Stem: e, Both: both, OfKo: c.korean[k].texts, OfEn: c.english[e].texts}
		p.PMI = math.Log2(float64(both) * float64(c.texts) / (float64(p.OfKo) * float64(p.OfEn)))
		if p.PMI <= 0 {
			continue // they avoid each other
		}
		if p.G2 = g2(both, p.OfKo, p.OfEn, c.texts); p.G2 >= minG2 {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.G2, a.G2), cmp.Compare(a.Korean, b.Korean), cmp.Compare(a.Stem, b.Stem))
	})
	used := map[string]bool{}
	out := all[:0]
	for _, p := range all {
		if used[p.Korean] || used[p.Stem] {
			continue
		}
		used[p.Korean], used[p.Stem] = true, true
		p.English = c.spelling(p.Stem)
		out = append(out, p)
	}
	return out
}

func byNumber(w words) []string {
	out := make([]string, len(w))
	for text, r := range w {
		out[r.n] = text
	}
	return out
}

// spelling is the commonest spelling of a stem, of equals the shortest.
func (c *counter) spelling(stem string) string {
	best, most := stem, 0
	for s, n := range c.spelled[stem] {
		if n > most || n == most && (len(s) < len(best) || len(s) == len(best) && s < best) {
			best, most = s, n
		}
	}
	return best
}

// g2 is the log-likelihood ratio of two words that occur in a and b of n texts and
// together in both.
func g2(both, a, b, n int) float64 {
	sum := 0.0
	for _, cell := range [4][3]int{
		{both, a, b}, {a - both, a, n - b}, {b - both, n - a, b}, {n - a - b + both, n - a, n - b},
	} {
		if o := float64(cell[0]); o > 0 {
			sum += o * math.Log(o*float64(n)/(float64(cell[1])*float64(cell[2])))
		}
	}
	return 2 * sum
}
