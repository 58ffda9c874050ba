package gate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/triage"
)

const sameName = 64

// explicit returns the skills that the prompt asks for by name. users has the requested names that only the user can
// start.
func (g *Gate) explicit(text string) (out []candidate, users []string, err error) {
	var failed error
	names := triage.Explicit(text, func(name string) bool {
		n, err := g.snapshot.DocFreq(index.NameTerm(name))
		failed = errors.Join(failed, err)
		return n > 0
	})
	if failed != nil {
		return nil, nil, fmt.Errorf("look up names: %w", failed)
	}
	for _, name := range names {
		postings, err := g.snapshot.Postings(index.NameTerm(name), nil)
		if err != nil {
			return nil, nil, err
		}
		var best *candidate
		user := ""
		for _, n := range postings.Numbers[:min(len(postings.Numbers), sameName)] {
			agent := g.snapshot.Flags(n)&index.IsAgent != 0
			offered := g.offered(n, agent)
			if !offered && agent {
				continue
			}
			doc, err := g.doc(n)
			if err != nil {
				return nil, nil, err
			}
			if !offered {
				if g.userOnly(doc) {
					user = doc.Name
				}
				continue
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
		} else if user != "" {
			users = append(users, user)
		}
	}
	return out, users, nil
}

func (g *Gate) userOnly(d index.Doc) bool {
	source := catalog.Source(d.Source)
	alone := d.Flags&index.ModelInvocable == 0 && source != catalog.Library && d.Size <= catalog.HostMax
	return (alone || g.policy.UserOnly(d.Name, source)) && neutral.Survives(d.Name, neutral.MaxName)
}

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
