package advise

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/triage"
)

// A change of one skill or word is replayed on the prompts that it can touch: those for which the skill is
// among the candidates, named or not, and those that ask for a term which it adds or takes away. To the others
// it changes no more than the statistics of the collection by one document, which is left out.

func shows(list ...*catalog.Entry) func(*replay.Prompt) bool {
	return func(p *replay.Prompt) bool {
		return slices.ContainsFunc(list, func(e *catalog.Entry) bool { return finds(p.Recorded, e) })
	}
}

// rewritten is what touches the prompts that a skill's file may be found by or not, with another text of it: those
// that ask for a term which it adds or takes away, or for one of its description or of the phrase that is new there,
// and the prompts that the change is for. A term may move to the description from the body, where it counts for less.
// What the file says of other skills counts for them.
func (w *work) rewritten(was, text, phrase string, g *group, skills ...*catalog.Entry) func(*replay.Prompt) bool {
	old, now := w.terms(was), w.terms(text)
	other := slices.DeleteFunc(slices.Concat(old, now), func(term string) bool {
		_, here := slices.BinarySearch(now, term)
		_, there := slices.BinarySearch(old, term)
		return here && there
	})
	asks := w.asking(slices.Concat(other, w.terms(described(text)), w.terms(phrase)))
	for _, p := range g.prompts {
		asks[p] = true
	}
	shown := shows(skills...)
	return func(p *replay.Prompt) bool { return asks[p] || shown(p) }
}

func described(text string) string {
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if front, _, ok := strings.Cut(rest, "\n---"); ok {
			return front
		}
	}
	return text
}

func (w *work) saying(word, means string) func(*replay.Prompt) bool {
	asks := w.asking(append(w.terms(word), w.terms(means)...))
	return func(p *replay.Prompt) bool { return asks[p] || strings.Contains(strings.ToLower(p.Text), word) }
}

func (w *work) asking(terms []string) map[*replay.Prompt]bool {
	out := map[*replay.Prompt]bool{}
	for _, t := range terms {
		for _, p := range w.asked[t] {
			out[p] = true
		}
	}
	return out
}

func (w *work) terms(text string) []string {
	if w.ranker == nil {
		return nil
	}
	return w.ranker.Terms(text)
}

func (w *work) read() {
	w.asked = map[string][]*replay.Prompt{}
	for _, p := range w.base {
		text := []string{triage.Classify(p.Text).Text, strings.Join(p.Terms, " ")}
		seen := map[string]bool{}
		for _, c := range w.ranker.Parse(strings.Join(text, " ")).Concepts {
			for _, a := range c.Alts {
				if !seen[a.Term] {
					seen[a.Term] = true
					w.asked[a.Term] = append(w.asked[a.Term], p)
				}
			}
		}
	}
}
