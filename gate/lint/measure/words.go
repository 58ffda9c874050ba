package measure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/index"
)

type part struct {
	term, via string
	field     index.Field
	score     float64
}

func (p *Prober) parts(doc uint32) []part {
	var out []part
	for _, m := range p.Ranker.Explain(&p.Res, doc) {
		if m.Run {
			continue
		}
		if i := slices.IndexFunc(out, func(p part) bool { return p.term == m.Term }); i >= 0 {
			out[i].score += m.Score
		} else {
			out = append(out, part{m.Term, m.Via, m.Field, m.Score})
		}
	}
	return out
}

func (p *Prober) decides(winner, loser uint32) (part, bool) {
	own := map[string]float64{}
	for _, x := range p.parts(loser) {
		own[x.term] = x.score
	}
	best, found := part{}, false
	for _, x := range p.parts(winner) {
		if x.score -= own[x.term]; x.score > best.score {
			best, found = x, true
		}
	}
	return best, found
}

func (p *Prober) surface(term string) string {
	for i := range p.Res.Query.Concepts {
		if c := &p.Res.Query.Concepts[i]; c.Text == term {
			return c.Surface
		}
	}
	base, _, _ := strings.Cut(term, "#")
	return base
}

func (p *Prober) describe(x part) string {
	if x.field == index.Meaning {
		return "its meaning"
	}
	word := p.surface(x.term)
	if x.via != "" && !strings.EqualFold(x.via, word) {
		word += "→" + x.via
	}
	return fmt.Sprintf("%q in its %s", word, x.field)
}
