package enrich

import (
	"path"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Select limits the skills that Plan returns.
type Select struct {
	Languages []string
	Only      []string // names or IDs with the wildcards * and ?; all skills if empty
	Limit     int      // maximum number of entries; 0 means no limit
}

func (s *Store) fresh(e *catalog.Entry, languages []string) bool {
	x, stale, ok := s.Get(e.ID, e.Hash)
	return ok && !stale && len(x.Phrases) > 0 && x.Schema >= Schema &&
		!slices.ContainsFunc(languages, func(lang string) bool {
			return !slices.ContainsFunc(x.Phrases, func(p Phrase) bool { return p.Kind == lang })
		})
}

// Plan returns the entries to ask about, in the given order: those that the model may run and that have no fresh
// expansion. If several files are equal, it returns only the first; its expansion is used for all.
func (s *Store) Plan(entries []catalog.Entry, sel Select) []*catalog.Entry {
	var out []*catalog.Entry
	hashes := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		if !e.ModelInvocable || hashes[e.Hash] || len(sel.Only) > 0 &&
			!slices.ContainsFunc(sel.Only, func(p string) bool { return Matches(p, e) }) {
			continue
		}
		if s.fresh(e, sel.Languages) {
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

// Matches reports whether a pattern matches an entry's name, ID or folder. * stands for any characters but "/", ? for
// one character.
func Matches(pattern string, e *catalog.Entry) bool {
	for _, s := range []string{e.Name, e.ID, e.Folder} {
		if ok, err := path.Match(pattern, s); ok && err == nil || strings.EqualFold(pattern, s) {
			return true
		}
	}
	return false
}
