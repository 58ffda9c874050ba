package index

import (
	"errors"
	"fmt"
	"iter"

	"github.com/skillgate/skillgate/gate/system"
)

// docTerms is the postings of one document: term to packed frequencies.
type docTerms map[string]Freq

// add counts the terms of text in field f and returns how many there were.
func (m docTerms) add(f Field, found []string) int {
	for _, t := range found {
		m[t] = m[t].add(f, 1)
	}
	return len(found)
}

// addExpansion counts the terms of text i of the expansion.
func (m docTerms) addExpansion(i int, found []string) int {
	for _, t := range found {
		m[t] = m[t].inGroup(i)
	}
	return len(found)
}

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
