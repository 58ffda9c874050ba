package index

import "fmt"

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

// writeSegment writes the postings of documents to path + ".zap" and their table to
// path + ".docs", numbered as they come from next, which returns false after the
// last one. It writes nothing where there are none.
func writeSegment(path string, next func() (analyzed, bool, error)) (Part, error) {
	w, err := newZapWriter(path + ".build")
	if err != nil {
		return Part{}, fmt.Errorf("index: %w", err)
	}
	defer w.close()
	table, err := newDocWriter(path + ".docs")
	if err != nil {
		return Part{}, fmt.Errorf("index: %w", err)
	}
	defer table.close()
	p := Part{NoAgents: true}
	for {
		a, ok, err := next()
		if err != nil {
			return Part{}, err
		}
		if !ok {
			break
		}
		if err := w.add(a.terms); err != nil {
			return Part{}, fmt.Errorf("index: add %s: %w", a.doc.ID, err)
		}
		for f, l := range a.doc.Lengths {
			p.Total[f] += int64(l)
		}
		p.NoAgents = p.NoAgents && a.doc.Flags&IsAgent == 0
		if err := table.add(&a.doc); err != nil {
			return Part{}, fmt.Errorf("index: add %s: %w", a.doc.ID, err)
		}
	}
	if p.Docs = table.docs(); p.Docs == 0 {
		return p, nil // zap has no empty files; the manifest says zero documents
	}
	if err := w.finish(path + ".zap"); err != nil {
		return Part{}, fmt.Errorf("index: write %s.zap: %w", path, err)
	}
	return p, table.finish()
}
