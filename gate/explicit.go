package gate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/triage"
)

// sameName is how many entries of one name are looked at.
const sameName = 64

// explicit returns the skills that the prompt names and asks for.
func (g *Gate) explicit(text string) ([]candidate, error) {
	var failed error
	names := triage.Explicit(text, func(name string) bool {
		n, err := g.snapshot.DocFreq(index.NameTerm(name))
		failed = errors.Join(failed, err)
		return n > 0
	})
	if failed != nil {
		return nil, fmt.Errorf("look up names: %w", failed)
	}
	var out []candidate
	for _, name := range names {
		postings, err := g.snapshot.Postings(index.NameTerm(name), nil)
		if err != nil {
			return nil, err
		}
		var best *candidate
		for _, n := range postings.Numbers[:min(len(postings.Numbers), sameName)] {
			agent := g.snapshot.Flags(n)&index.IsAgent != 0
			if !g.offered(n, agent) {
				continue
			}
			doc, err := g.doc(n)
			if err != nil {
				return nil, err
			}
			if best != nil && !stronger(doc, best.doc) {
				continue
			}
			best = &candidate{forced: true}
			g.replace(best, rank.Hit{Doc: n}, doc)
			best.Matched = []Match{{Term: name, Field: index.Name.String()}}
		}
		if best != nil {
			out = append(out, *best)
		}
	}
	return out, nil
}

// mergeForced puts the skills that the prompt names first, each once.
func mergeForced(forced, list []candidate) []candidate {
	if len(forced) == 0 {
		return list
	}
	out := slices.Clone(forced)
	for _, c := range list {
		i := slices.IndexFunc(out, func(f candidate) bool { return f.ID == c.ID })
		if i < 0 {
			out = append(out, c)
			continue
		}
		out[i].Score, out[i].Matched, out[i].HeldBack = c.Score, c.Matched, c.HeldBack
	}
	return out
}
