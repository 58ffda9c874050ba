package bench

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Two plain search engines for comparison. Both rank by Okapi BM25 over name, description and body as one field.
const (
	fullText = "full-text BM25" // matches whole words
	trigrams = "FTS5 trigram"   // matches words of at least three letters, also inside other words, as SQLite does
	plainK1  = 1.2
	plainB   = 0.75
)

// Plain ranks entries for each case with the search engine how (fullText or trigrams). It returns the answers as a set
// named after set and how.
func Plain(how, library, set string, entries []catalog.Entry, cases []Case) []Answer {
	texts := make([]string, len(entries))
	lengths := make([]float64, len(entries))
	mean := 0.0
	counts := map[string]map[int]float64{} // occurrences by word and entry
	for _, c := range cases {
		for _, w := range plainWords(c.Query) {
			counts[w] = map[int]float64{}
		}
	}
	for i, e := range entries {
		texts[i] = strings.ToLower(e.Name + "\n" + e.Description + "\n" + e.WhenToUse + "\n" + e.Body)
		words := plainWords(texts[i])
		lengths[i] = float64(len(words))
		if how == trigrams {
			lengths[i] = float64(utf8.RuneCountInString(texts[i]))
		} else {
			for _, w := range words {
				if by, asked := counts[w]; asked {
					by[i]++
				}
			}
		}
		mean += lengths[i] / float64(len(entries))
	}
	if how == trigrams {
		for w, by := range counts {
			for i := range texts {
				if n := strings.Count(texts[i], w); n > 0 && utf8.RuneCountInString(w) >= 3 {
					by[i] = float64(n)
				}
			}
		}
	}
	var out []Answer
	for _, c := range cases {
		scores := map[int]float64{}
		for _, w := range plainWords(c.Query) {
			n := float64(len(counts[w]))
			idf := math.Log(1 + (float64(len(entries))-n+0.5)/(n+0.5))
			for i, tf := range counts[w] {
				scores[i] += idf * tf * (plainK1 + 1) / (tf + plainK1*(1-plainB+plainB*lengths[i]/mean))
			}
		}
		order := make([]int, 0, len(scores))
		for i := range scores {
			order = append(order, i)
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
		var first []string
		for _, i := range order[:min(DefaultK, len(order))] {
			first = append(first, entries[i].ID)
		}
		rank := rankOf(first, c.Right...)
		out = append(out, Answer{Library: library, Set: set + ", " + how, ID: c.ID, Source: c.Source, Groups: c.Groups,
			Values: map[string]float64{hit1: within(rank, 1), hit5: within(rank, 5)}})
	}
	return out
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
}
