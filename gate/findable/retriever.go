package findable

import (
	"context"
	"fmt"
	"sync"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/synonyms"
)

// Retriever runs prompts through the gate's index and ranking. Several goroutines may use it at once if they may use
// its snapshot at once.
type Retriever struct {
	Snapshot *index.Snapshot
	Dict     *synonyms.Dict
	Docs     []Doc             // documents by number
	ByID     map[string]uint32 // document number by skill ID

	texts   []string // displayed descriptions of the available skills
	weights rank.Weights
	mu      sync.Mutex
	memory  *rank.Memory
	heads   map[string]int // cache of Heads, by term
}

// Doc holds the data of one document that a Retriever needs.
type Doc struct {
	ID, Name, Path, Source, Plugin string
	Family                         uint64
	Offered, Dead                  bool
}

// NewRetriever returns a Retriever for snapshot, whose indexes were built with dict.
func NewRetriever(snapshot *index.Snapshot, dict *synonyms.Dict) (*Retriever, error) {
	r := &Retriever{Snapshot: snapshot, Dict: dict, weights: rank.DefaultWeights(), ByID: map[string]uint32{},
		heads: map[string]int{}}
	r.Docs = make([]Doc, snapshot.Docs())
	for i := range r.Docs {
		d, err := snapshot.Doc(uint32(i))
		if err != nil {
			return nil, fmt.Errorf("findable: build the index: %w", err)
		}
		one := Doc{
			ID: d.ID, Name: d.Name, Path: d.Path, Source: d.Source, Plugin: d.Plugin, Family: snapshot.Family(uint32(i)),
			Offered: d.Flags&index.IsAgent == 0 && d.Flags&index.ModelInvocable != 0, Dead: snapshot.Dead(uint32(i)),
		}
		// An edited skill is the last document with its ID and counts as a copy of the original.
		if old, ok := r.ByID[d.ID]; ok && one.Family == 0 {
			one.Family = r.Docs[old].Family
		}
		if one.Offered && !one.Dead && d.Description != "" {
			r.texts = append(r.texts, d.Description)
		}
		r.Docs[i] = one
		for home := range d.Homes {
			r.ByID[home.ID] = uint32(i)
		}
	}
	return r, nil
}

// Descriptions returns the displayed descriptions of the available skills.
func (r *Retriever) Descriptions() []string { return r.texts }

// Same reports whether documents a and b have the same text.
func (r *Retriever) Same(a, b uint32) bool {
	return a == b || r.Docs[a].Family != 0 && r.Docs[a].Family == r.Docs[b].Family
}

// Heads returns the number of skills whose name, description or triggers contain term.
func (r *Retriever) Heads(term string) int {
	r.mu.Lock()
	n, ok := r.heads[term]
	r.mu.Unlock()
	if ok {
		return n
	}
	list, err := r.Snapshot.Postings(term, nil)
	if err != nil {
		return 0
	}
	for i := range list.Numbers {
		if q := list.Freq(i); q.Get(index.Name) > 0 || q.Get(index.Description) > 0 || q.Get(index.Triggers) > 0 {
			n++
		}
	}
	r.mu.Lock()
	r.heads[term] = n
	r.mu.Unlock()
	return n
}

// Prober runs searches and keeps the result of the last one. Only one goroutine at a time may use it.
type Prober struct {
	*Retriever
	Ranker   *rank.Ranker
	Analyzer *index.Analyzer
	Res      rank.Result
	Hits     []rank.Hit // hits of the last search, without copies of a better hit
}

// Prober returns a new Prober, which shares a cache of postings with the other Probers of r.
func (r *Retriever) Prober() *Prober {
	p := &Prober{Retriever: r, Ranker: rank.New(r.Snapshot, r.Dict, r.weights), Analyzer: index.NewAnalyzer(r.Dict)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.memory == nil {
		r.memory = p.Ranker.Remember()
	}
	p.Ranker.Share(r.memory, "")
	return p
}

// Depth is the number of best hits that a Prober keeps.
const Depth = 30

// Search runs a prompt, stores the hits that may be suggested in p.Hits, and returns them.
func (p *Prober) Search(ctx context.Context, prompt string) ([]rank.Hit, error) {
	var err error
	p.Res, err = p.Ranker.Search(ctx, p.Ranker.Parse(prompt))
	if err != nil {
		return nil, err
	}
	hits := p.Ranker.Top(&p.Res, Depth, func(doc uint32) bool { return p.Docs[doc].Offered })
	p.Hits = p.Hits[:0]
	seen := map[uint64]bool{}
	for _, h := range hits {
		if f := p.Docs[h.Doc].Family; f != 0 {
			if seen[f] {
				continue
			}
			seen[f] = true
		}
		p.Hits = append(p.Hits, h)
	}
	return p.Hits, nil
}

// Place returns the rank, from 1, and the score of doc or a copy of it. It returns 0, 0 if neither is among the hits.
func (p *Prober) Place(doc uint32) (int, float64) {
	for i, h := range p.Hits {
		if p.Same(h.Doc, doc) {
			return i + 1, h.Score
		}
	}
	return 0, 0
}

// PlaceEdited returns the rank and score that doc would have in the last search if e were applied, and the best score
// of any other skill. The rank is at most Depth+1.
func (p *Prober) PlaceEdited(doc uint32, e *index.Edit) (place int, own, rival float64) {
	for _, m := range p.Ranker.ExplainEdited(&p.Res, doc, e) {
		own += m.Score
	}
	if place = 1; own == 0 {
		place = Depth + 1
	}
	for _, h := range p.Hits {
		if p.Same(h.Doc, doc) {
			continue
		}
		rival = max(rival, h.Score)
		if h.Score >= own && place <= Depth {
			place++
		}
	}
	return place, own, rival
}
