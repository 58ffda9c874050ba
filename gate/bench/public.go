package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

// Public is a public benchmark read from its own files: the skills, which are
// the library of its prompts, and the prompts.
type Public struct {
	Records   []Record
	Set       Set
	Published Published // nil where the benchmark comes without results
}

// Published holds the results that come with a benchmark: by method, setting
// and measure, under this package's names.
type Published map[string]map[string]map[string]float64

// maxDocument is the largest JSON document that is read as a whole.
const maxDocument = 256 << 20 // SkillRetBench's corpus of 501 skills is under 10 MB

// readDocument reads one JSON file.
func readDocument(file string) ([]byte, error) {
	fi, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if fi.Size() > maxDocument {
		return nil, fmt.Errorf("%s: %d bytes, limit %d", file, fi.Size(), int64(maxDocument))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), nil
}

// lineAt is the 1-based line of a byte offset.
type lineAt struct{ starts []int }

func newLineAt(text []byte) lineAt {
	l := lineAt{starts: []int{0}}
	for i, c := range text {
		if c == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

func (l lineAt) of(offset int64) int {
	return sort.Search(len(l.starts), func(i int) bool { return int64(l.starts[i]) > offset })
}

// openObject reads the first brace of text; fail adds file and line to an error.
func openObject(file string, text []byte) (dec *json.Decoder, lines lineAt, fail func(error) error, err error) {
	lines, dec = newLineAt(text), json.NewDecoder(bytes.NewReader(text))
	fail = func(err error) error { return fmt.Errorf("%s:%d: %w", file, lines.of(dec.InputOffset()), err) }
	if t, err := dec.Token(); err != nil {
		return nil, lines, nil, fail(plainJSON(err))
	} else if t != json.Delim('{') {
		return nil, lines, nil, fail(fmt.Errorf("want a JSON object, got %v", t))
	}
	return dec, lines, fail, nil
}

// eachMember calls fn with the members of the object that text is: key, value
// and the line where the value starts. A key may come once. Errors, fn's
// included, name file and line.
func eachMember(file string, text []byte, fn func(line int, key string, value json.RawMessage) error) error {
	dec, lines, fail, err := openObject(file, text)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return fail(plainJSON(err))
		}
		key := t.(string) // what stands before a colon is a string or an error
		if seen[key] {
			return fail(fmt.Errorf("key %q is there twice", key))
		}
		seen[key] = true
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return fail(plainJSON(err))
		}
		line := lines.of(dec.InputOffset() - int64(len(value)))
		if err := fn(line, key, value); err != nil {
			return fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return fail(plainJSON(err))
	}
	return nil
}

// eachElement calls fn with the elements of the array under key in the object
// that file holds, with the line where each starts.
func eachElement(file, key string, fn func(line int, value json.RawMessage) error) error {
	text, err := readDocument(file)
	if err != nil {
		return err
	}
	dec, lines, fail, err := openObject(file, text)
	if err != nil {
		return err
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return fail(plainJSON(err))
		}
		if t != key {
			var other json.RawMessage
			if err := dec.Decode(&other); err != nil {
				return fail(plainJSON(err))
			}
			continue
		}
		if t, err = dec.Token(); err != nil {
			return fail(plainJSON(err))
		} else if t != json.Delim('[') {
			return fail(fmt.Errorf("%q: want an array, got %v", key, t))
		}
		for dec.More() {
			var value json.RawMessage
			if err := dec.Decode(&value); err != nil {
				return fail(plainJSON(err))
			}
			line := lines.of(dec.InputOffset() - int64(len(value)))
			if err := fn(line, value); err != nil {
				return fmt.Errorf("%s:%d: %w", file, line, err)
			}
		}
		return nil
	}
	return fmt.Errorf("%s: no %q", file, key)
}

// ids that a file may hold once, with the line of each.
type once map[string]int

func (o once) add(id string, line int) error {
	if id == "" {
		return fmt.Errorf("no id")
	}
	if first, ok := o[id]; ok {
		return fmt.Errorf("id %q is also that of line %d", id, first)
	}
	o[id] = line
	return nil
}

func position(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// base is the name of a benchmark's folder.
func base(dir string) string { return filepath.Base(filepath.Clean(dir)) }
