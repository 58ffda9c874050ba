package lint

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/synonyms"
)

// Retriever asks the gate's own index and ranking what a prompt would find.
type Retriever struct {
	snapshot *index.Snapshot
	dict     *synonyms.Dict
	weights  rank.Weights
	texts    []string          // descriptions of the skills that are offered, as they are shown
	docs     []indexed         // by document number
	byID     map[string]uint32 // document of a skill
	shares   struct {
		sync.Mutex
		of map[string]float64 // by term: headShare
	}
}

// indexed is what is kept of one document.
type indexed struct {
	id, name, path, source, plugin string
	family                         uint64
	offered, dead                  bool
}

// NewRetriever reads which skills snapshot holds; dict is that of its terms.
func NewRetriever(snapshot *index.Snapshot, dict *synonyms.Dict) (*Retriever, error) {
	r := &Retriever{snapshot: snapshot, dict: dict, weights: rank.DefaultWeights(), byID: map[string]uint32{}}
	r.shares.of = map[string]float64{}
	r.docs = make([]indexed, snapshot.Docs())
	for i := range r.docs {
		d, err := snapshot.Doc(uint32(i))
		if err != nil {
			return nil, fmt.Errorf("lint: index: %w", err)
		}
		one := indexed{
			id: d.ID, name: d.Name, path: d.Path, source: d.Source, plugin: d.Plugin, family: snapshot.Family(uint32(i)),
			offered: d.Flags&index.IsAgent == 0 && d.Flags&index.ModelInvocable != 0, dead: snapshot.Dead(uint32(i)),
		}
		// A skill laid over the index stands last and is still a copy of what its old text was.
		if old, ok := r.byID[d.ID]; ok && one.family == 0 {
			one.family = r.docs[old].family
		}
		if one.offered && !one.dead && d.Description != "" {
			r.texts = append(r.texts, d.Description)
		}
		r.docs[i] = one
		r.byID[d.ID] = uint32(i)
	}
	return r, nil
}

// Descriptions lists what the indexed skills say of themselves, as far as it is shown.
func (r *Retriever) Descriptions() []string { return r.texts }

// prober searches for one goroutine.
type prober struct {
	*Retriever
	ranker *rank.Ranker
	res    rank.Result
	hits   []rank.Hit
	words  []word // of what the skill at hand says it does, best first
}

// word is one concept of a skill's own description.
type word struct {
	term    string
	surface string // as the skill writes it
	name    bool   // written alike in every language
}

func (r *Retriever) prober() *prober {
	return &prober{Retriever: r, ranker: rank.New(r.snapshot, r.dict, r.weights)}
}

// depth is how far down a list of hits is looked at.
const depth = 30

// search runs a prompt and returns its hits, copies of one text once.
func (p *prober) search(ctx context.Context, prompt string) ([]rank.Hit, error) {
	var err error
	p.res, err = p.ranker.Search(ctx, p.ranker.Parse(prompt))
	if err != nil {
		return nil, err
	}
	hits := p.ranker.Top(&p.res, depth, func(doc uint32) bool { return p.docs[doc].offered })
	p.hits = p.hits[:0]
	seen := map[uint64]bool{}
	for _, h := range hits {
		if f := p.docs[h.Doc].family; f != 0 {
			if seen[f] {
				continue
			}
			seen[f] = true
		}
		p.hits = append(p.hits, h)
	}
	return p.hits, nil
}

// place returns the 1-based place of doc, or of a copy of it, and its score; 0
// where it is not among the hits.
func (p *prober) place(doc uint32) (int, float64) {
	for i, h := range p.hits {
		if p.same(h.Doc, doc) {
			return i + 1, h.Score
		}
	}
	return 0, 0
}

// same reports whether two documents are one text.
func (p *prober) same(a, b uint32) bool {
	return a == b || p.docs[a].family != 0 && p.docs[a].family == p.docs[b].family
}

// part is what one word of a prompt scores in a document.
type part struct {
	term, via string
	field     index.Field
	score     float64
}

// parts adds up an explanation by the prompt's words.
func (p *prober) parts(doc uint32) []part {
	var out []part
	for _, m := range p.ranker.Explain(&p.res, doc) {
		if m.Run {
			continue
		}
		found := false
		for i := range out {
			if out[i].term == m.Term {
				out[i].score += m.Score
				found = true
			}
		}
		if !found {
			out = append(out, part{m.Term, m.Via, m.Field, m.Score})
		}
	}
	return out
}

// decides returns the word of the prompt by which winner is furthest above loser.
func (p *prober) decides(winner, loser uint32) (part, bool) {
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

// surface returns the words of the prompt that a concept stands for.
func (p *prober) surface(term string) string {
	for i := range p.res.Query.Concepts {
		if c := &p.res.Query.Concepts[i]; c.Text == term {
			return c.Surface
		}
	}
	base, _, _ := strings.Cut(term, "#")
	return base
}

// say describes the word that decides: "review" in its name.
func (p *prober) say(x part) string {
	word := p.surface(x.term)
	if x.via != "" && !strings.EqualFold(x.via, word) {
		word += "→" + x.via
	}
	return fmt.Sprintf("%q in its %s", word, x.field)
}
