// Package tokenizer turns text into the token ids that a cross-encoder was trained with.
//
// It supports two families of Hugging Face's tokenizer.json: WordPiece (BERT, MiniLM) and Unigram (XLM-R,
// bge-reranker-v2-m3). This includes their normalisers (also SentencePiece's precompiled charsmap), pre-tokenisers and
// templates for pairs of texts. Compile converts the file to a table once, so that the helper need not parse up to 16
// MB of JSON at every start. A table consists of
//
//	"SGTOK2\n\x00"              8 bytes
//	CRC-32C of the rest        uint32, little-endian like all numbers
//	length of the settings     uint32
//	settings                   JSON
//	trie                       its children (uint32), values (int32) and labels (byte)
//	scores                     float64 for each id (Unigram)
//
// Text is untrusted. If it contains the names of special tokens ("[SEP]", "</s>"), they are tokenised as ordinary
// characters, so that no text can end its half of a pair.
//
// A Tokenizer is safe for concurrent use.
package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/regular"
)

// ErrTable means that data is not a tokenizer table of this version, or is damaged.
var ErrTable = errors.New("not a tokenizer table")

// Tokenizer tokenizes text with a compiled table.
type Tokenizer struct {
	*table
	normalize []func(text string) string
	split     []splitter
	subword   int32 // trie node of the prefix of continuing subwords, or -1
}

// New returns a Tokenizer for a table from Compile. Errors wrap ErrTable.
func New(data []byte) (*Tokenizer, error) {
	t, err := readTable(data)
	if err != nil {
		return nil, err
	}
	out, err := newTokenizer(t)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTable, err)
	}
	return out, nil
}

func newTokenizer(t *table) (out *Tokenizer, err error) {
	out = &Tokenizer{table: t, subword: t.walk(t.Prefix)}
	if out.normalize, err = normalizers(t.settings.Normalize); err != nil {
		return nil, err
	}
	out.split, err = splitters(t.settings.Split)
	return out, err
}

// maxTable is the maximum size of a table file in bytes. The table of XLM-R, with 250,000 pieces, takes 14 MB.
const maxTable = 256 << 20

// Open is like New for a table file.
func Open(file string) (*Tokenizer, error) {
	data, err := regular.Read(file, maxTable)
	if err != nil {
		return nil, err
	}
	t, err := New(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

// Size returns the highest token ID plus one. The model must have an embedding for every lower ID.
func (t *Tokenizer) Size() int { return t.settings.Size }

// Pad returns the token ID that fills rows up to equal length.
func (t *Tokenizer) Pad() int32 { return t.settings.Pad }

// Kind returns the tokenizer's family: "WordPiece" or "Unigram".
func (t *Tokenizer) Kind() string { return string(t.settings.Kind) }

// Append appends the token IDs of text to ids, without special tokens. Invalid UTF-8 bytes count as U+FFFD.
func (t *Tokenizer) Append(ids []int32, text string) []int32 {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	for _, normalize := range t.normalize {
		text = normalize(text)
	}
	words := []string{text}
	for _, split := range t.split {
		var next []string
		for i, w := range words {
			next = split(next, w, i == 0)
		}
		words = next
	}
	var l lattice
	for _, w := range words {
		if t.settings.Kind == wordPiece {
			ids = t.wordPiece(ids, w)
		} else {
			ids = t.unigram(ids, w, &l)
		}
	}
	return ids
}

// Pair is one row of a batch.
type Pair struct {
	IDs   []int32
	Types []int32 // values of the model's input token_type_ids
}

// Overhead returns the number of special tokens in a pair.
func (t *Tokenizer) Overhead() int { return len(t.settings.Pair) - 2 }

// Join returns a row with the IDs of two texts and the special tokens that the template for pairs requires.
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
