package gate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// Recorded says what a gate for replay reads: the indexes that a session in Cwd whose host
// has come upon the folders Below would read now, or those that a logged decision names in Uses.
type Recorded struct {
	Cwd   string
	Below []Subfolder
	Uses  []IndexUse // nil: the newest generations
}

// ErrGone says that a generation which a decision read is no longer there.
var ErrGone = errors.New("the index generation is gone")

// OpenRecorded opens a gate for replay. It answers as Open's does, under today's
// host settings, but never looks at the skills' files: the same indexes give the
// same decisions whatever happened to the files since. A scope without an index
// is in Missing; ErrGone and index.ErrStale say that a decision's generation was
// swept or is another version's.
func OpenRecorded(d dirs.Dirs, s Settings, r Recorded) (*Gate, error) {
	g := &Gate{Settings: s, host: true, recorded: true, cwd: r.Cwd}
	roots, _ := catalog.QuickRoots(d, r.Cwd, s.Libraries, paths(r.Below)...)
	g.policy, _ = catalog.LoadPolicy(d, r.Cwd)
	g.named(d, r.Below)
	scopes := Scopes(d, roots)
	var last error
	if r.Uses == nil {
		for _, scope := range scopes {
			if _, err := g.open(scope, r.Below); err != nil {
				last = err
			}
		}
		if len(g.indexes) > 0 {
			g.hear(d, r.Below)
		}
	}
	for _, use := range r.Uses {
		x, err := openUse(d, scopes, use)
		if err != nil {
			g.Close()
			return g, err
		}
		g.add(x, use)
	}
	if len(g.indexes) == 0 {
		return g, last
	}
	g.finish()
	return g, nil
}

// openUse finds the generation that a decision names: in the folder of the scope
// of that label, or, where its project is gone by now, in any folder under the
// cache whose manifest fits.
func openUse(d dirs.Dirs, scopes []Scope, use IndexUse) (*index.Index, error) {
	var folders []string
	for _, s := range scopes {
		if s.Label == use.Root {
			folders = append(folders, s.Dir)
		}
	}
	all, err := filepath.Glob(filepath.Join(d.Cache, "index", "*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range append(folders, all...) {
		if _, err := os.Stat(filepath.Join(dir, fmt.Sprintf("gen-%d", use.Generation))); err != nil {
			continue
		}
		x, err := index.OpenGeneration(dir, use.Generation)
		if err != nil {
			return nil, err
		}
		if x.Manifest.Scope == use.Root && x.Manifest.Skills == use.Skills {
			return x, nil
		}
		x.Close()
	}
	return nil, fmt.Errorf("%s, generation %d of %d skills: %w", use.Root, use.Generation, use.Skills, ErrGone)
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
