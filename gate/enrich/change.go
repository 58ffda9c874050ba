package enrich

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrChanged says that a store no longer holds what a change of it was made from.
var ErrChanged = errors.New("expansions: changed meanwhile")

// key names one line of a store that counts.
type key struct {
	id      string
	learned bool
}

// current returns the lines of a store that count.
func (s *Store) current() (map[key]string, error) {
	out := map[key]string{}
	for _, x := range s.live() {
		line, err := marshal(*x)
		if err != nil {
			return nil, err
		}
		out[key{x.ID, x.isLearned()}] = string(line) + "\n"
	}
	return out, nil
}

// Difference returns the lines of s that next has not or has otherwise, and those of next in their place.
func (s *Store) Difference(next *Store) (from, to string, err error) {
	a, err := s.current()
	if err != nil {
		return "", "", err
	}
	b, err := next.current()
	if err != nil {
		return "", "", err
	}
	for k, line := range a {
		if b[k] == line {
			delete(a, k)
			delete(b, k)
		}
	}
	return joined(a), joined(b), nil
}

// joined is lines in order.
func joined(lines map[key]string) string {
	return strings.Join(slices.Sorted(maps.Values(lines)), "")
}

// parsed reads lines of a store.
func parsed(text string) (map[key]*Expansion, error) {
	out := map[key]*Expansion{}
	err := lines(strings.NewReader(text), func(n int, line []byte) error {
		x := new(Expansion)
		if err := x.UnmarshalJSON(bytes.TrimSpace(line)); err != nil {
			return fmt.Errorf("expansions: line %d: %w", n, err)
		}
		out[key{x.ID, x.isLearned()}] = x
		return nil
	})
	return out, err
}

// Replace puts the lines of one text in the place of those of another, as Difference returns them. It fails
// with ErrChanged where the store has other lines than those of from.
func (s *Store) Replace(from, to string) error {
	was, err := parsed(from)
	if err != nil {
		return err
	}
	next, err := parsed(to)
	if err != nil {
		return err
	}
	now, err := s.current()
	if err != nil {
		return err
	}
	maps.DeleteFunc(now, func(k key, _ string) bool { return was[k] == nil && next[k] == nil })
	if joined(now) != from {
		return ErrChanged
	}
	for k := range was {
		if next[k] == nil && k.learned {
			delete(s.learned, k.id)
		} else if next[k] == nil {
			s.forget(k.id)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(next), func(a, b key) int { return strings.Compare(a.id, b.id) }) {
		s.put(next[k])
	}
	return s.compact()
}

// Phrases returns what lines of a store say, one phrase a line after its skill's name.
func Phrases(text string) (string, error) {
	list, err := parsed(text)
	if err != nil {
		return "", err
	}
	var out []string
	for _, x := range list {
		for _, p := range x.Texts() {
			out = append(out, x.Name+": "+p+"\n")
		}
	}
	slices.Sort(out)
	return strings.Join(out, ""), nil
}
