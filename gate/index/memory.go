package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/synonyms"
)

// Memory returns an index of entries in memory, with the terms, anchors and families that Build would give them. It can
// be joined with indexes on disk. Unlike them, it may be used by several goroutines. risk is as in Options and may be
// nil.
func Memory(ctx context.Context, entries []catalog.Entry, dict *synonyms.Dict,
	risk func(*catalog.Entry) float64) (*Index, error) {
	return Layer(ctx, Options{Entries: entries, Risk: risk}, dict)
}

// Layer is like Memory, with expansions. It uses only Entries, Risk and Expansion of o.
func Layer(ctx context.Context, o Options, dict *synonyms.Dict) (*Index, error) {
	b := &builder{ctx: ctx, o: o, dict: dict, an: NewAnalyzer(dict)}
	if err := b.scanEntries(nil); err != nil {
		return nil, err
	}
	b.merge()
	b.linkAnchors()
	b.families()
	seg := &segment{memory: map[string][]Posting{}}
	m := &Manifest{Format: Format, Analyzer: AnalyzerVersion, Scope: "memory"}
	var docs []Doc
	contents := map[content]bool{}
	for a, err := range b.analyseAll(b.docs) {
		if err != nil {
			return nil, err
		}
		num := uint32(len(docs))
		for _, t := range a.terms {
			seg.memory[t.term] = append(seg.memory[t.term], Posting{num, t.freq})
		}
		for f, l := range a.doc.Lengths {
			m.Base.Total[f] += int64(l)
		}
		docs = append(docs, a.doc)
		contents[content{a.doc.Name, a.doc.Hash}] = true
	}
	text, err := encodeDocs(docs)
	if err != nil {
		return nil, fmt.Errorf("index: build in memory: %w", err)
	}
	if seg.docs, err = newDocTable(text); err != nil {
		return nil, fmt.Errorf("index: build in memory: %w", err)
	}
	seg.n = len(docs)
	m.Skills, m.Distinct, m.Base.Docs = seg.n, len(contents), seg.n
	x := &Index{Manifest: m, Dict: dict}
	if seg.n > 0 {
		x.segments = []*segment{seg}
	}
	return x, nil
}

// remembered appends the postings of a term to buf, for a segment in memory.
func (p part) remembered(term string, buf *Postings) {
	for _, one := range p.memory[term] {
		if _, dead := slices.BinarySearch(p.dead, one.Doc); !dead {
			buf.add(uint32(p.first)+one.Doc, one.Freq)
		}
	}
}

// Dead reports whether Postings leaves a document out because it was changed, deleted or hidden since its index was
// built.
func (s *Snapshot) Dead(doc uint32) bool {
	p, i := s.at(doc)
	_, dead := slices.BinarySearch(p.dead, uint32(i))
	return dead
}

// Hide removes the documents with these IDs, and their copies, from the postings of x. The index on disk and other
// readers are not affected. To overlay a changed skill, hide it and join an index in memory that has the new text.
func (x *Index) Hide(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	contents := map[content]bool{} // contents of the remaining documents
	for _, s := range x.segments {
		for i := range s.n {
			if slices.Contains(s.dead, uint32(i)) {
				continue
			}
			d, err := s.docs.doc(i)
			if err != nil {
				return err
			}
			copied := func(h Home) bool { return slices.Contains(ids, h.ID) }
			if slices.Contains(ids, d.ID) || slices.ContainsFunc(d.Others, copied) {
				s.dead = append(slices.Clone(s.dead), uint32(i))
				slices.Sort(s.dead)
				x.Manifest.Skills--
				continue
			}
			contents[content{d.Name, d.Hash}] = true
		}
	}
	x.Manifest.Distinct = len(contents)
	return nil
}
