package gate

import (
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// OpenRecorded opens a gate for replay. Like Open, it reads the newest indexes for a session in cwd whose host has
// discovered the subfolders in below, and applies today's host settings. Unlike Open, it never looks at skill files, so
// the same indexes give the same decisions even after files have changed.
func OpenRecorded(d dirs.Dirs, s Settings, cwd string, below []Subfolder) (*Gate, error) {
	return openSession(d, cwd, s, true, below)
}

// Overlay hides the skills with the IDs in hide from g and adds extra, if not nil, to g's indexes.
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

// Read makes the gate analyze prompts with dict instead of its indexes' dictionary.
func (g *Gate) Read(dict *synonyms.Dict) {
	g.indexes[0].Dict = dict
	g.finish()
}

// Docs calls yield for every indexed skill and agent and for every copy of one, until yield returns false.
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

// Find returns the skills and agents with the given name.
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
