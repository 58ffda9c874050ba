package gate

import (
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// OpenRecorded opens a gate for replay over the newest indexes of a session in cwd whose host has discovered the
// folders below. It decides like the gate of Open, under today's host settings, but never looks at the skills'
// files: the same indexes give the same decisions even if the files have changed since.
func OpenRecorded(d dirs.Dirs, s Settings, cwd string, below []Subfolder) (*Gate, error) {
	return openSession(d, cwd, s, true, below)
}

// Overlay hides the skills with the IDs in hide and adds the index extra, which may be nil, for this gate only.
func (g *Gate) Overlay(hide []string, extra *index.Index) error {
	for _, x := range g.indexes {
		if err := x.Hide(hide...); err != nil {
			return err
		}
	}
	if extra != nil {
		g.indexes = append(g.indexes, extra)
	}
	g.finish()
	return nil
}

// Uses returns the indexes that the gate reads.
func (g *Gate) Uses() []IndexUse { return g.uses }

// Read makes the gate read prompts with dict instead of the dictionary of its indexes.
func (g *Gate) Read(dict *synonyms.Dict) {
	g.indexes[0].Dict = dict
	g.finish()
}

// Docs calls yield for every indexed skill and agent, and for each copy, until yield returns false.
func (g *Gate) Docs(yield func(index.Doc) bool) {
	for n := range uint32(g.snapshot.Docs()) {
		if g.snapshot.Dead(n) {
			continue
		}
		doc, err := g.snapshot.Doc(n)
		if err != nil {
			continue
		}
		for home := range doc.Homes {
			if home, err := g.withHostName(home); err == nil && !yield(home) {
				return
			}
		}
	}
}

// Find returns the records of the skills and agents with the given name.
func (g *Gate) Find(name string) ([]index.Doc, error) {
	postings, err := g.snapshot.Postings(index.NameTerm(name), nil)
	if err != nil {
		return nil, err
	}
	docs := postings.Numbers
	if at := strings.LastIndexByte(name, ':'); len(g.below) > 0 && at >= 0 { // a skill in a subfolder
		more, err := g.snapshot.Postings(index.NameTerm(name[at+1:]), nil)
		if err != nil {
			return nil, err
		}
		docs = append(docs, more.Numbers...)
	}
	var out []index.Doc
	for _, n := range docs {
		doc, err := g.runnableCopy(n, g.snapshot.Doc)
		if err == nil {
			doc, err = g.withHostName(doc)
		}
		if err != nil {
			return nil, err
		}
		if doc.Name == name {
			out = append(out, doc)
		}
	}
	return out, nil
}
