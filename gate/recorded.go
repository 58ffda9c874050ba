package gate

import (
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// OpenRecorded opens a gate for replay over the newest indexes of a session in cwd whose host has discovered the
// folders below. It decides like the gate of Open, under today's host settings, but never looks at the skills'
// files: the same indexes give the same decisions whatever has happened to the files since. A scope without an
// index is in Missing.
func OpenRecorded(d dirs.Dirs, s Settings, cwd string, below []Subfolder) (*Gate, error) {
	g := &Gate{Settings: s, host: true, recorded: true, cwd: cwd}
	roots, _ := catalog.QuickRoots(d, cwd, s.Libraries, paths(below)...)
	g.policy, _ = catalog.LoadPolicy(d, cwd)
	g.named(d, below)
	var last error
	for _, scope := range Scopes(d, roots) {
		if _, err := g.open(scope, below); err != nil {
			last = err
		}
	}
	if len(g.indexes) == 0 {
		return g, last
	}
	g.hear(d, below)
	g.finish()
	return g, nil
}

// Overlay leaves out the skills with the IDs of hide and adds those of extra (nil:
// none), for this gate only.
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

// Uses are the indexes that the gate reads.
func (g *Gate) Uses() []IndexUse { return g.uses }

// Read makes the gate read prompts with another dictionary than its indexes were made with.
func (g *Gate) Read(dict *synonyms.Dict) {
	g.indexes[0].Dict = dict
	g.finish()
}

// Docs calls yield for every skill and agent that is indexed and each copy of one, until it returns false.
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
			if home, err := g.known(home); err == nil && !yield(home) {
				return
			}
		}
	}
}

// Find returns the records of the skills and agents of that name.
func (g *Gate) Find(name string) ([]index.Doc, error) {
	postings, err := g.snapshot.Postings(index.NameTerm(name), nil)
	if err != nil {
		return nil, err
	}
	docs := postings.Numbers
	if at := strings.LastIndexByte(name, ':'); len(g.below) > 0 && at >= 0 { // a subfolder's
		more, err := g.snapshot.Postings(index.NameTerm(name[at+1:]), nil)
		if err != nil {
			return nil, err
		}
		docs = append(docs, more.Numbers...)
	}
	var out []index.Doc
	for _, n := range docs {
		doc, err := g.place(n, g.snapshot.Doc)
		if err == nil {
			doc, err = g.known(doc)
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

// PolicyID identifies what the host's settings allow: a decision depends on it
// beside the indexes and the settings.
func (g *Gate) PolicyID() string { return g.policy.ID() }
