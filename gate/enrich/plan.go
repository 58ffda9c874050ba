package enrich

import (
	"path"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
)

// State says what a store has for a skill.
type State string

const (
	Missing  State = "missing"  // nothing
	Changed  State = "changed"  // written for other content
	Outdated State = "outdated" // of an older schema, or without a wanted language
	Fresh    State = "fresh"    // written for what the skill is now
)

// Select says which skills are asked about.
type Select struct {
	Languages []string
	Only      []string // names or IDs, with * and ?; none: all
	Limit     int      // at most so many; 0: all
}

// StateOf returns what the store has for an entry.
func (s *Store) StateOf(e *catalog.Entry, languages []string) State {
	x, stale, ok := s.Get(e.ID, e.Hash)
	switch {
	case !ok || len(x.Phrases) == 0:
		return Missing
	case stale:
		return Changed
	case x.Schema < Schema:
		return Outdated
	}
	for _, lang := range languages {
		if !slices.ContainsFunc(x.Phrases, func(p Phrase) bool { return p.Kind == lang }) {
			return Outdated
		}
	}
	return Fresh
}

// Plan returns the entries to ask about, in their order: those that the model may
// run and whose expansion is not fresh. Of equal files one is asked about, whose
// expansion serves all.
func (s *Store) Plan(entries []catalog.Entry, sel Select) []*catalog.Entry {
	var out []*catalog.Entry
	hashes := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		if !e.ModelInvocable || hashes[e.Hash] || len(sel.Only) > 0 &&
			!slices.ContainsFunc(sel.Only, func(p string) bool { return Matches(p, e) }) {
			continue
		}
		if s.StateOf(e, sel.Languages) == Fresh {
			continue
		}
		if e.Hash != "" {
			hashes[e.Hash] = true
		}
		if out = append(out, e); len(out) == sel.Limit {
			break
		}
	}
	return out
}

// Matches reports whether a pattern is an entry's name, ID or folder; * stands for
// any characters but "/", ? for one.
func Matches(pattern string, e *catalog.Entry) bool {
	for _, s := range []string{e.Name, e.ID, e.Folder} {
		if ok, err := path.Match(pattern, s); ok && err == nil || strings.EqualFold(pattern, s) {
			return true
		}
	}
	return false
}
