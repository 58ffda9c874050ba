package tokenizer

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
)

var le = binary.LittleEndian

const (
	magic      = "SGTOK1\n\x00"
	sections   = 4
	headerSize = len(magic) + 4 + 4*sections
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type kind string

const (
	wordPiece kind = "WordPiece"
	unigram   kind = "Unigram"
)

type settings struct {
	Kind      kind         `json:"kind"`
	Size      int          `json:"size"`
	Unknown   int32        `json:"unknown"`
	Pad       int32        `json:"pad"`
	Prefix    string       `json:"prefix,omitempty"`    // of a continuing subword
	MaxChars  int          `json:"max_chars,omitempty"` // longer words are unknown
	UnkScore  float64      `json:"unk_score,omitempty"`
	Normalize []normalizer `json:"normalize"`
	Split     []splitter   `json:"split"`
	Pair      []piece      `json:"pair"`
}

// Parts of a pair's template.
const (
	first   = "a"
	second  = "b"
	special = "special"
)

type piece struct {
	Part string `json:"part"`
	ID   int32  `json:"id,omitempty"` // of a special token
	Type int32  `json:"type"`
}

type table struct {
	settings settings
	trie     []byte
	scores   []byte
	charsmap []byte
}

func (t *table) bytes() ([]byte, error) {
	head, err := json.Marshal(t.settings)
	if err != nil {
		return nil, err
	}
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	body := make([]byte, 0, len(head)+len(t.trie)+len(t.scores)+len(t.charsmap)+4*sections)
	for _, s := range [sections][]byte{head, t.trie, t.scores, t.charsmap} {
		body = le.AppendUint32(body, uint32(len(s)))
	}
	for _, s := range [sections][]byte{head, t.trie, t.scores, t.charsmap} {
		body = append(body, s...)
	}
	out := append([]byte(magic), 0, 0, 0, 0)
	le.PutUint32(out[len(magic):], crc32.Checksum(body, castagnoli))
	return append(out, body...), nil
}

func readTable(b []byte) (table, error) {
	var t table
	if len(b) < headerSize || string(b[:len(magic)]) != magic {
		return t, fmt.Errorf("%w: wrong first bytes", ErrTable)
	}
	want := le.Uint32(b[len(magic):])
	body := b[len(magic)+4:]
	if got := crc32.Checksum(body, castagnoli); got != want {
		return t, fmt.Errorf("%w: checksum %08x, want %08x", ErrTable, got, want)
	}
	var head []byte
	rest := body[4*sections:]
	for i, p := range [sections]*[]byte{&head, &t.trie, &t.scores, &t.charsmap} {
		n := le.Uint32(body[4*i:])
		if uint64(n) > uint64(len(rest)) {
			return t, fmt.Errorf("%w: section %d has %d bytes, %d are left", ErrTable, i, n, len(rest))
		}
		*p, rest = rest[:n:n], rest[n:]
	}
	if err := json.Unmarshal(head, &t.settings); err != nil {
		return t, fmt.Errorf("%w: settings: %w", ErrTable, err)
	}
	if k := t.settings.Kind; k != wordPiece && k != unigram {
		return t, fmt.Errorf("%w: kind %q", ErrTable, k)
	}
	return t, nil
}
