// Package tokenizer turns text into the token ids that a cross-encoder was
// trained with.
//
// Two families are read from Hugging Face's tokenizer.json: WordPiece (BERT,
// MiniLM) and Unigram (XLM-R, bge-reranker-v2-m3), with their normalisers,
// including SentencePiece's precompiled charsmap, their pre-tokenisers and their
// template for a pair of texts. Compile makes a flat table of it once; New and
// Open use the table where it lies, so that a 16 MB tokenizer.json costs a start
// of the helper nothing.
//
//	"SGTOK1\n\x00"             8 bytes
//	CRC-32C of what follows    uint32, little-endian like everything here
//	lengths of the sections    4 × uint32: settings, trie, scores, charsmap
//	settings                   JSON
//	trie                       double array: base int32, check int32 per node
//	scores                     float64 per id (Unigram)
//	charsmap                   SentencePiece's own blob
//
// Text is untrusted. Special tokens spelled out in it ("[SEP]", "</s>") are
// tokenised as ordinary characters, so that no text can end its half of a pair.
//
// A Tokenizer is safe for concurrent use.
package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/system"
)

// ErrTable says that bytes are not a table of this version, or are damaged.
var ErrTable = errors.New("not a tokenizer table")

// Tokenizer reads one compiled table.
type Tokenizer struct {
	settings settings
	trie     trie
	scores   []byte
	charsmap charsmap
	subword  int32 // trie node after the continuing-subword prefix, -1 for none
	mapped   []byte
}

// New returns a tokenizer over a table made by Compile. The table must not
// change while the tokenizer is used. Errors wrap ErrTable.
func New(table []byte) (*Tokenizer, error) {
	s, err := readTable(table)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{settings: s.settings, trie: trie(s.trie), scores: s.scores, charsmap: s.charsmap, subword: -1}
	if t.settings.Kind == wordPiece {
		if node, ok := t.trie.walk(0, t.settings.Prefix); ok {
			t.subword = node
		}
	}
	return t, nil
}

// maxTable bounds a table file: XLM-R's 250,000 pieces take 14 MB.
const maxTable = 256 << 20

// Open maps a table file. Close releases it.
func Open(file string) (*Tokenizer, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() < int64(headerSize) || fi.Size() > maxTable {
		return nil, fmt.Errorf("%s: %w: %d bytes, want %d to %d", file, ErrTable, fi.Size(), headerSize, maxTable)
	}
	data, err := system.Map(f, fi.Size())
	if err != nil {
		return nil, err
	}
	t, err := New(data)
	if err != nil {
		system.Unmap(data)
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	t.mapped = data
	return t, nil
}

// Close releases the file of a tokenizer made by Open.
func (t *Tokenizer) Close() error {
	data := t.mapped
	t.mapped = nil
	if data == nil {
		return nil
	}
	return system.Unmap(data)
}

// Size returns one more than the highest id, which the model's embedding must cover.
func (t *Tokenizer) Size() int { return t.settings.Size }

// Pad returns the id that fills a row up to the batch's length.
func (t *Tokenizer) Pad() int32 { return t.settings.Pad }

// Kind names the family: "WordPiece" or "Unigram".
func (t *Tokenizer) Kind() string { return string(t.settings.Kind) }

// Append appends the ids of text, without special tokens, and returns the
// extended slice. Bytes that are not UTF-8 count as U+FFFD.
func (t *Tokenizer) Append(ids []int32, text string) []int32 {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	for _, step := range t.settings.Normalize {
		text = t.normalize(step, text)
	}
	words := []string{text}
	for _, step := range t.settings.Split {
		var next []string
		for i, w := range words {
			next = split(next, step, w, i == 0)
		}
		words = next
	}
	if t.settings.Kind == wordPiece {
		for _, w := range words {
			ids = t.wordPiece(ids, w)
		}
		return ids
	}
	var l lattice
	for _, w := range words {
		ids = t.unigram(ids, w, &l)
	}
	return ids
}

// Pair is one row of a batch.
type Pair struct {
	IDs   []int32
	Types []int32 // token_type_ids
}

// Overhead returns how many special tokens a pair has.
func (t *Tokenizer) Overhead() int {
	n := 0
	for _, p := range t.settings.Pair {
		if p.Part == special {
			n++
		}
	}
	return n
}

// Join puts the ids of two texts and the special tokens between and around them
// into one row, as the tokenizer's template for a pair says.
func (t *Tokenizer) Join(a, b []int32) Pair {
	n := len(a) + len(b) + t.Overhead()
	out := Pair{IDs: make([]int32, 0, n), Types: make([]int32, 0, n)}
	for _, p := range t.settings.Pair {
		switch p.Part {
		case first:
			out.IDs = append(out.IDs, a...)
		case second:
			out.IDs = append(out.IDs, b...)
		default:
			out.IDs = append(out.IDs, p.ID)
		}
		for len(out.Types) < len(out.IDs) {
			out.Types = append(out.Types, p.Type)
		}
	}
	return out
}

func (t *Tokenizer) score(id int32) float64 {
	at := int(id) * 8
	if id < 0 || at+8 > len(t.scores) {
		return math.Inf(-1)
	}
	return math.Float64frombits(le.Uint64(t.scores[at:]))
}
