package advise

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/triage"
)

// A change of one skill or word is replayed on the prompts that it can affect: those that have the skill among their
// candidates, and those with a term that it adds or removes. On other prompts it changes only the collection's
// statistics by one document, which is ignored.

func shows(list ...*catalog.Entry) func(*replay.Prompt) bool {
	return func(p *replay.Prompt) bool {
		return slices.ContainsFunc(list, func(e *catalog.Entry) bool { return finds(p.Recorded, e) })
	}
}

// rewritten returns a function that reports whether another text of a skill's file can affect a prompt: the prompt
// has a term that the text adds or removes, or one of the description or of the new phrase, or the change is for it.
// A term may move from the body to the description, where it has more weight. The file's text about other skills
// counts for those.
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
