package index

import (
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate/system"
)

// docTerms is the postings of one document.
type docTerms []termFreq

type termFreq struct {
	term string
	freq Freq
}

// counter counts the terms of one document.
type counter struct {
	at    map[string]int32 // of each term its place in found
	found docTerms
}

// counters is a pool. A counter in it no longer refers to the terms that it returned.
var counters = sync.Pool{New: func() any { return &counter{at: map[string]int32{}} }}

// of returns the frequencies of a term.
func (c *counter) of(term string) *Freq {
	at, ok := c.at[term]
	if !ok {
		at = int32(len(c.found))
		c.at[term] = at
		c.found = append(c.found, termFreq{term: term})
	}
	return &c.found[at].freq
}

// add counts a term n times in field f.
func (c *counter) add(f Field, term string, n int) {
	q := c.of(term)
	*q = q.add(f, n)
}

// stream counts tokens in field f and returns how many there were.
func (c *counter) stream(f Field, tokens analysis.TokenStream) int {
	for _, tok := range tokens {
		c.add(f, string(tok.Term), 1)
	}
	return len(tokens)
}

// done returns what was counted, and forgets it.
func (c *counter) done() docTerms {
	found := c.found
	c.found = nil
	if len(found) < mostCounted { // a map keeps the room that it once had
		clear(c.at)
		counters.Put(c)
	}
	return found
}

const mostCounted = 4096

// analyzed is one document on its way into a segment.
type analyzed struct {
	terms docTerms
	doc   Doc
}

// writeSegment writes the postings of documents to path + ".lists" and their table to
// path + ".docs", numbered as they come. It writes nothing where there are none.
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
		return p, nil // the manifest says zero documents
	}
	if err := system.Caught(lists.finish); err != nil {
		return p, fmt.Errorf("index: write %s.lists: %w", path, err)
	}
	return p, table.finish()
}

// count counts a document in.
func (p *Part) count(d *Doc) {
	p.Docs++
	for f, l := range d.Lengths {
		p.Total[f] += int64(l)
	}
	p.NoAgents = p.NoAgents && d.Flags&IsAgent == 0
}
