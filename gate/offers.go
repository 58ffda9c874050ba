package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
)

// Holds reports whether `is` accepts any indexed skill or agent, or a copy of one, even if the host cannot run it here.
func (g *Gate) Holds(is func(index.Doc) bool) (bool, error) {
	for n := range uint32(g.snapshot.Docs()) {
		if g.snapshot.Dead(n) {
			continue
		}
		doc, err := g.snapshot.Doc(n)
		if err != nil {
			return false, fmt.Errorf("gate: list skills: %w", err)
		}
		for home := range doc.Homes {
			if is(home) {
				return true, nil
			}
		}
	}
	return false, nil
}

// Offers returns every skill and agent that the host can run here, sorted by name. If several have the same name, it
// returns the one that the host loads. Skills in library folders are all returned.
func (g *Gate) Offers() ([]index.Doc, error) {
	var out []index.Doc
	byName := map[string]int{}
	for n := range uint32(g.snapshot.Docs()) {
		agent := g.snapshot.Flags(n)&index.IsAgent != 0
		if g.snapshot.Dead(n) || !g.offered(n, agent) {
			continue
		}
		doc, err := g.runnableCopy(n, g.snapshot.Doc)
		if err == nil {
			doc, err = g.withHostName(doc)
		}
		if err != nil {
			return nil, fmt.Errorf("gate: list skills: %w", err)
		}
		key := doc.Name
		if agent {
			key = "agent " + key // no collision, because names have no spaces
		}
		if i, ok := byName[key]; ok && doc.Source != string(catalog.Library) {
			if stronger(doc, out[i]) {
				out[i] = doc
			}
			continue
		}
		byName[key] = len(out)
		out = append(out, doc)
	}
	slices.SortFunc(out, func(a, b index.Doc) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}
