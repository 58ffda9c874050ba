// Package synonyms contains the Korean/English dictionary and splits Korean text into words.
//
// The dictionary is written as YAML in dict/, compiled by package source into table.bin, embedded and used in place:
// opening it costs nothing, and a look-up walks a trie. It gives
//
//   - the dictionary words in Korean text, despite particles, endings, auxiliary verbs and missing spaces (Words);
//   - the English senses of a Korean headword (Senses, Stems), and the headwords of an English word (Korean);
//   - the phrases that descriptions use for the English phrases that people say (English).
//
// A user's own dictionary can be put on top of it (Open, With); its entries replace those of the built-in one for the
// same word or phrase. A Dict is immutable and may be used concurrently. No method fails or panics for any text or for
// a damaged table.
package synonyms

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
	"github.com/skillgate/skillgate/synonyms/terms"
)

//go:generate go run ./internal/gen words

// Dict is a compiled dictionary, possibly with others on top of it.
type Dict struct {
	layers []table.Table // topmost dictionary first; at most maxLayers
}

const maxLayers = 4

// Default returns the built-in dictionary.
func Default() *Dict { return open(embedded) }

func open(data string) *Dict { return &Dict{[]table.Table{table.Trusted(data)}} }

// Open returns the dictionary compiled into data. It fails if data is damaged or not a table of this version.
func Open(data string) (*Dict, error) {
	t, err := table.Open(data)
	if err != nil {
		return nil, fmt.Errorf("open dictionary: %w", err)
	}
	return &Dict{[]table.Table{t}}, nil
}

// With returns d with user on top of it; user may be nil. Dictionaries beyond the fourth are left out.
func (d *Dict) With(user *Dict) *Dict {
	if user == nil {
		return d
	}
	all := append(append([]table.Table{}, user.layers...), d.layers...)
	return &Dict{all[:min(len(all), maxLayers)]}
}

// Headwords calls yield for every headword with its English senses, in the order of the sources, until it returns
// false.
func (d *Dict) Headwords(yield func(word string, senses []string) bool) {
	for i := range d.layers {
		t := &d.layers[i]
		for id := range uint32(t.Heads()) {
			text, senses, _, flags := t.Head(id)
			if flags&table.Function == 0 && !yield(text, texts(t, senses)) {
				return
			}
		}
	}
}

// Senses returns the English senses of a headword, best first, or nil. They are phrases of words in base form.
func (d *Dict) Senses(headword string) []string {
	t, senses, _ := d.head(headword)
	return texts(t, senses)
}

// Own reports whether the senses of a headword come from a user's dictionary (see With).
func (d *Dict) Own(headword string) bool {
	last := len(d.layers) - 1
	if last == 0 {
		return false
	}
	t, _, _ := d.head(headword)
	return t != nil && t != &d.layers[last]
}

// Stems returns the senses of a headword as they are indexed: the stems of their words, joined by spaces.
func (d *Dict) Stems(headword string) []string {
	t, _, stems := d.head(headword)
	return texts(t, stems)
}

func (d *Dict) head(headword string) (t *table.Table, senses, stems uint32) {
	var room [64]byte
	solid := headword
	if strings.Contains(solid, " ") {
		solid = strings.ReplaceAll(solid, " ", "")
	}
	key := hangul.Codes(room[:0], solid)
	for i := range d.layers {
		t := &d.layers[i]
		list := t.Korean.Find(key)
		for k := range t.Len(list) {
			text, senses, stems, flags := t.Head(t.Item(list, k) >> 8)
			if text == headword && flags&table.Function == 0 {
				return t, senses, stems
			}
		}
		if id, ok := writtenAs(t, t.English.Find([]byte(headword))); ok {
			if text, senses, stems, _ := t.Head(id); text == headword {
				return t, senses, stems
			}
		}
	}
	return nil, 0, 0
}

func texts(t *table.Table, list uint32) []string {
	if t == nil || t.Len(list) == 0 {
		return nil
	}
	out := make([]string, t.Len(list))
	for i := range out {
		out[i] = t.Text(t.Item(list, i))
	}
	return out
}

// Korean returns at most four headwords that have the English word or phrase as a sense, best first. The phrase is
// given as its stems, joined by spaces.
func (d *Dict) Korean(stems string) []string {
	for i := range d.layers {
		t := &d.layers[i]
		list := t.English.Find([]byte(stems))
		var out []string
		for k := range t.Len(list) {
			if v := t.Item(list, k); v&3 == table.Korean {
				text, _, _, _ := t.Head(v >> 2)
				out = append(out, text)
			}
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// Phrase is a known English phrase in a text.
type Phrase struct {
	Start, End int      // byte offsets in the text
	Means      []string // canonical phrases: stems joined by spaces
	Same       bool     // the phrase and its meanings are interchangeable
	Own        bool     // from a user's dictionary (see With)
}

// English finds the known phrases of text, the longest at each position, in order. Phrases may overlap.
func (d *Dict) English(text string) []Phrase {
	var out []Phrase
	for at := 0; ; {
		stem, start, end, ok := terms.NextWord(text, at)
		if !ok {
			return out
		}
		at = end
		for i := range d.layers {
			if p, ok := longest(&d.layers[i], text, stem, start, end); ok {
				p.Own = i+1 < len(d.layers)
				out = append(out, p)
				break
			}
		}
	}
}

func longest(t *table.Table, text, stem string, start, end int) (best Phrase, found bool) {
	n, ok := uint32(table.Root), true
	for {
		for i := 0; i < len(stem); i++ {
			if n, ok = t.English.Step(n, stem[i]); !ok {
				return best, found
			}
		}
		if means, same := meanings(t, t.English.Value(n)); means != nil {
			best, found = Phrase{Start: start, End: end, Means: means, Same: same}, true
		}
		if n, ok = t.English.Step(n, ' '); !ok {
			return best, found
		}
		if stem, _, end, ok = terms.NextWord(text, end); !ok {
			return best, found
		}
	}
}

func meanings(t *table.Table, list uint32) (means []string, same bool) {
	for k := range t.Len(list) {
		switch v := t.Item(list, k); v & 3 {
		case table.Means:
			means = append(means, t.Text(v>>2))
		case table.Same:
			means = append(means, t.Text(v>>2))
			same = true
		}
	}
	return means, same
}

// FromKeys decodes a Latin word that was typed with the English keyboard by mistake: "dprtpf" is 엑셀. ok is true only
// if every key belongs to a syllable, the result is a word of the dictionary with at most particles and endings, and
// latin is not an English word of the dictionary.
func (d *Dict) FromKeys(latin string) (string, bool) {
	if len(latin) < 4 {
		return "", false
	}
	text, ok := hangul.FromKeys(latin)
	if !ok || d.isEnglish(latin) {
		return "", false
	}
	var room [8]Word
	words := d.appendWords(room[:0], text)
	known := false
	for _, w := range words {
		if !w.Known {
			return "", false
		}
		known = known || w.End-w.Start >= 6 // at least two syllables
	}
	return text, known
}

func (d *Dict) isEnglish(word string) bool {
	key := []byte(terms.PhraseKey(word))
	for i := range d.layers {
		if d.layers[i].English.Find(key) != 0 {
			return true
		}
	}
	return false
}
