package index

import (
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate/system"
)

type docTerms []termFreq

type termFreq struct {
	term string
	freq Freq
}

type counter struct {
	at    map[string]int32 // index in found by term
	found docTerms
}

// counters holds counters for reuse. They no longer refer to the terms that done returned.
var counters = sync.Pool{New: func() any { return &counter{at: map[string]int32{}} }}

func (c *counter) of(term string) *Freq {
	at, ok := c.at[term]
	if !ok {
		at = int32(len(c.found))
		c.at[term] = at
		c.found = append(c.found, termFreq{term: term})
	}
	return &c.found[at].freq
}

func (c *counter) add(f Field, term string, n int) {
	q := c.of(term)
	*q = q.add(f, n)
}

// stream adds one occurrence of each token to field f and returns the number of tokens.
func (c *counter) stream(f Field, tokens analysis.TokenStream) int {
	for _, tok := range tokens {
		c.add(f, string(tok.Term), 1)
	}
	return len(tokens)
}

func (c *counter) done() docTerms {
	found := c.found
	c.found = nil
	if len(found) < mostCounted { // keep only small maps, since a map never shrinks
		clear(c.at)
		counters.Put(c)
	}
	return found
}

const mostCounted = 4096

type analyzed struct {
	terms docTerms
	doc   Doc
}

// writeSegment writes the postings of documents to path + ".lists" and their table to path + ".docs", numbered in the
// given order. It writes nothing if there are no documents.
func writeSegment(path string, all iter.Seq2[analyzed, error]) (p Part, err error) {
	table, err := newDocWriter(path + ".docs")
	if err != nil {
		return Part{}, fmt.Errorf("index: %w", err)
	}
	defer table.close()
	lists := newListWriter(path+".lists", mostHeld)
	defer func() { err = errors.Join(err, lists.close()) }()
	p.NoAgents = true
	for a, err := range all {
		if err == nil {
			p.count(&a.doc)
			err = errors.Join(table.add(&a.doc), lists.add(a.terms))
		}
		if err != nil {
			return Part{}, fmt.Errorf("index: write %s: %w", path, err)
		}
	}
	if p.Docs == 0 {
		return p, nil // a segment without documents has no files
	}
	if err := system.Caught(lists.finish); err != nil {
		return p, fmt.Errorf("index: write %s.lists: %w", path, err)
	}
	return p, table.finish()
}

func (p *Part) count(d *Doc) {
	p.Docs++
	for f, l := range d.Lengths {
		p.Total[f] += int64(l)
	}
	p.NoAgents = p.NoAgents && d.Flags&IsAgent == 0
}
