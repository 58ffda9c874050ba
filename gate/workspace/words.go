package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/synonyms/source"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// maxLookedUp is the maximum number of dictionary entries that are looked up in the skills. A lookup takes a few
// microseconds, and people write dozens of entries.
const maxLookedUp = 2000

// UnmetWords returns the entries of a dictionary whose words occur in no skill. For each list of texts, met must report
// whether any skill contains a word of the list.
func UnmetWords(dict *source.Dictionary, met func(lists [][]string) ([]bool, error)) ([]source.Problem, error) {
	var places []source.Problem
	var texts [][]string
	for _, e := range dict.Entries {
		places = append(places, source.Problem{Place: e.Place,
			Text: fmt.Sprintf("no installed skill contains a word of the entry %s (%s)", e.Head, strings.Join(e.Senses, ", "))})
		texts = append(texts, append(append([]string{e.Head}, e.Also...), e.Senses...))
	}
	for _, s := range dict.Sets {
		words := append(slices.Clone(s.Means), s.Same...)
		places = append(places, source.Problem{Place: s.Place, Text: fmt.Sprintf(
			"no installed skill contains a word of the set that begins with %q", words[0])})
		texts = append(texts, words)
	}
	texts = texts[:min(len(texts), maxLookedUp)]
	known, err := met(texts)
	if err != nil {
		return nil, err
	}
	var out []source.Problem
	for i, ok := range known {
		if !ok {
			out = append(out, places[i])
		}
	}
	return out, nil
}

// WordsMet reports for each list of texts whether a skill of g contains any word of it.
func WordsMet(ctx context.Context, g *gate.Gate, lists [][]string) ([]bool, error) {
	out := make([]bool, len(lists))
	for i, texts := range lists {
		for _, text := range texts {
			res, err := g.Ranker().Search(ctx, g.Ranker().Parse(terms.Normal(text)))
			if err != nil {
				return nil, err
			}
			for _, concept := range res.Query.Concepts {
				for j := range concept.Alts {
					out[i] = out[i] || concept.Alts[j].Docs() > 0
				}
			}
		}
	}
	return out, nil
}
