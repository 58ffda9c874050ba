package findable

import (
	"context"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
)

// PlacesWith returns the places that a skill would have for one of its requests with each set
// of phrases among its triggers. A request of its own is held out of its text, as in Evidence.
func (p *Prober) PlacesWith(ctx context.Context, e *catalog.Entry, r Request, sets [][]string) ([]int, error) {
	t := p.text(e)
	if err := t.ask(ctx, &r); err != nil {
		return nil, err
	}
	out := make([]int, len(sets))
	for i, phrases := range sets {
		edit := t.base.Clone()
		if r.Kind == Given {
			edit = new(index.Edit)
		}
		t.hold(edit, &r)
		for _, phrase := range phrases {
			edit.Trigger(p.Analyzer, phrase, 1)
		}
		out[i], _, _ = p.PlaceEdited(p.ByID[e.ID], edit)
	}
	return out, nil
}

// News counts the telling terms of a phrase that a skill's description and triggers lack.
func (p *Prober) News(e *catalog.Entry, phrase string) int {
	t := p.text(e)
	known := map[string]bool{}
	for _, word := range t.words {
		known[word] = true
	}
	n := 0
	for _, word := range t.telling(phrase) {
		if !known[word] {
			n++
		}
	}
	return n
}
