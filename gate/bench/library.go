package bench

import (
	"fmt"
	"hash/maphash"
	"strings"
)

// Library knows what ids a library holds and which of its bodies are the same text.
type Library struct {
	seed  maphash.Seed
	where map[string]string
	text  map[string]uint64
	names map[string]bool
}

// NewLibrary collects records. names are what prompts may call the library by:
// paths are cut down to the base name without its ending and without "library-".
// It refuses an empty library, a record without an id and an id that two records have.
func NewLibrary(names []string, records []Record) (*Library, error) {
	if len(records) == 0 {
		return nil, fmt.Errorf("library %s: no skills", strings.Join(names, ", "))
	}
	lib := &Library{
		seed:  maphash.MakeSeed(),
		where: make(map[string]string, len(records)),
		text:  make(map[string]uint64, len(records)),
		names: map[string]bool{},
	}
	for _, name := range names {
		lib.names[strings.TrimPrefix(stem(name), "library-")] = true
	}
	for _, r := range records {
		if r.ID == "" {
			return nil, fmt.Errorf("%s: skill without an id", r.At)
		}
		if first, ok := lib.where[r.ID]; ok {
			return nil, fmt.Errorf("%s: id %q is also that of %s", r.At, r.ID, first)
		}
		lib.where[r.ID] = r.At
		var h maphash.Hash
		h.SetSeed(lib.seed)
		words := 0
		for word := range strings.FieldsSeq(r.Body) {
			h.WriteString(word)
			h.WriteByte(' ')
			words++
		}
		if words > 0 {
			lib.text[r.ID] = h.Sum64()
		}
	}
	return lib, nil
}

// Len is the number of skills.
func (l *Library) Len() int { return len(l.where) }

// Check returns the prompts of a set that are for this library, how many are for
// another one, and an error, with file and line, for the first prompt that names
// a skill the library does not hold.
func (l *Library) Check(s Set) (Set, int, error) {
	kept := Set{Name: s.Name, Style: s.Style}
	wanted := map[string]bool{}
	for _, p := range s.Prompts {
		if p.Library != "" && !l.names[p.Library] {
			wanted[p.Library] = true
			continue
		}
		for _, id := range p.ids() {
			if _, ok := l.where[id]; !ok {
				return Set{}, 0, fmt.Errorf("%s: %s: no skill %q in the library", p.At, p.ID, id)
			}
		}
		kept.Prompts = append(kept.Prompts, p)
	}
	if len(kept.Prompts) == 0 {
		names := sorted(wanted)
		if len(names) == 0 {
			return Set{}, 0, fmt.Errorf("%s: no prompts", s.Name)
		}
		return Set{}, 0, fmt.Errorf("%s: its prompts are for the libraries %s; none of those loaded has such a name "+
			"(library-%s.jsonl.gz or %[3]s.jsonl would)",
			s.Name, strings.Join(names, ", "), names[0])
	}
	return kept, len(s.Prompts) - len(kept.Prompts), nil
}

// same says whether two skills have the same body, white space aside.
func (l *Library) same(a, b string) bool {
	x, ok := l.text[a]
	y, ok2 := l.text[b]
	return ok && ok2 && x == y
}
