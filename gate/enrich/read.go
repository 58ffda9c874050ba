package enrich

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

const maxLine = 1 << 20 // a hundred phrases of 200 Hangul take 60 KB

// Read reads one expansion a line. where names the source in errors. An id may
// stand only once; blank lines are skipped.
func Read(r io.Reader, where string) ([]Expansion, error) {
	var out []Expansion
	seen := map[string]int{}
	err := lines(r, func(n int, line []byte) error {
		var x Expansion
		if err := json.Unmarshal(line, &x); err != nil {
			return fmt.Errorf("%s:%d: %w", where, n, err)
		}
		if first, twice := seen[x.ID]; twice {
			return fmt.Errorf("%s:%d: id %q is on line %d too", where, n, x.ID, first)
		}
		seen[x.ID] = n
		out = append(out, x)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("expansions: %w", err)
	}
	return out, nil
}

// ReadFile reads the expansions of a file.
func ReadFile(file string) ([]Expansion, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("expansions: %w", err)
	}
	defer f.Close()
	return Read(f, file)
}

// Lookup returns what the index takes for the skill with an ID: the indexed texts
// of the expansion with that ID, whatever content it was written for.
func Lookup(list []Expansion) func(id, hash string) []string {
	byID := make(map[string][]string, len(list))
	for i := range list {
		byID[list[i].ID] = list[i].Texts()
	}
	return func(id, _ string) []string { return byID[id] }
}

// lines calls yield with every line that is not blank, without its end. The line is yield's only until it returns.
func lines(r io.Reader, yield func(n int, line []byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	n := 1
	for ; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		if err := yield(n, in.Bytes()); err != nil {
			return err
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d: more than %d bytes", n, maxLine)
	}
	return in.Err()
}
