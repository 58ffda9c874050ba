package advise

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/triage"
)

// A changed skill or word is replayed only on the prompts that it can affect: those with the skill among their
// candidates and those with a term that the change adds or removes. Other prompts are affected only through the
// collection statistics, which change by one document; this is ignored.

func shows(list ...*catalog.Entry) func(*replay.Prompt) bool {
	return func(p *replay.Prompt) bool {
		return slices.ContainsFunc(list, func(e *catalog.Entry) bool { return finds(p.Recorded, e) })
	}
}

// rewritten returns a function that reports whether a prompt can be affected when the text of a skill's file changes
// from was to text. It can if it has one of skills as a candidate, belongs to g, or has a term that was added or
// removed or that is in phrase or the new description. The description counts because its terms weigh more than terms
// of the body.
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
