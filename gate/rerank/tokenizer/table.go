package tokenizer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
)

var (
	le         = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

const magic = "SGTOK2\n\x00"

type kind string

const (
	wordPiece kind = "WordPiece"
	unigram   kind = "Unigram"
)

type settings struct {
	Kind      kind            `json:"kind"`
	Size      int             `json:"size"`
	Unknown   int32           `json:"unknown"`
	Pad       int32           `json:"pad"`
	Prefix    string          `json:"prefix,omitempty"`    // prefix of subwords that continue a word
	MaxChars  int             `json:"max_chars,omitempty"` // maximum length of a word; longer words are unknown
	UnkScore  float64         `json:"unk_score,omitempty"`
	Normalize json.RawMessage `json:"normalize"` // normalizer, as in tokenizer.json
	Split     json.RawMessage `json:"split"`
	Pair      []piece         `json:"pair"`

	Nodes  int `json:"nodes"`  // number of trie nodes
	Scores int `json:"scores"` // number of scores, one per ID (Unigram)
}

// Parts of the template for pairs.
const (
	first   = "a"
	second  = "b"
	special = "special"
)

type piece struct {
	Part string `json:"part"`
	ID   int32  `json:"id,omitempty"` // ID of a special token
	Type int32  `json:"type"`
}

type table struct {
	settings
	trie
	scores []float64
}

func (t *table) bytes() ([]byte, error) {
	t.Nodes, t.Scores = len(t.values), len(t.scores)
	head, err := json.Marshal(t.settings)
	if err != nil {
		return nil, err
	}
	body := append(le.AppendUint32(nil, uint32(len(head))), head...)
	for _, part := range []any{t.children, t.values, t.labels, t.scores} {
		if body, err = binary.Append(body, le, part); err != nil {
			return nil, err
		}
	}
	return append(le.AppendUint32([]byte(magic), crc32.Checksum(body, castagnoli)), body...), nil
}

func readTable(b []byte) (*table, error) {
	if !bytes.HasPrefix(b, []byte(magic)) || len(b) < len(magic)+8 {
		return nil, fmt.Errorf("%w of this version; install the model again", ErrTable)
	}
	rest := b[len(magic)+4:]
	if got, want := crc32.Checksum(rest, castagnoli), le.Uint32(b[len(magic):]); got != want {
		return nil, fmt.Errorf("%w: the checksum is %08x instead of %08x", ErrTable, got, want)
	}
	n := int(le.Uint32(rest))
	t := &table{}
	if n > len(rest)-4 {
		return nil, fmt.Errorf("%w: settings of %d bytes do not fit", ErrTable, n)
	}
	if err := json.Unmarshal(rest[4:4+n], &t.settings); err != nil {
		return nil, fmt.Errorf("%w: settings: %w", ErrTable, err)
	}
	rest = rest[4+n:]
	if t.Nodes < 1 || t.Nodes > len(rest) || t.Scores < 0 || t.Scores > len(rest) || 9*t.Nodes+4+8*t.Scores != len(rest) {
		return nil, fmt.Errorf("%w: %d nodes and %d scores do not fit in %d bytes", ErrTable, t.Nodes, t.Scores, len(rest))
	}
	t.children, t.values = make([]uint32, t.Nodes+1), make([]int32, t.Nodes)
	t.labels, t.scores = make([]byte, t.Nodes), make([]float64, t.Scores)
	for _, part := range []any{t.children, t.values, t.labels, t.scores} {
		n, err := binary.Decode(rest, le, part)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrTable, err)
		}
		rest = rest[n:]
	}
	highest := int(slices.Max(t.values))
	if !slices.IsSorted(t.children) || int(t.children[t.Nodes]) != t.Nodes || highest >= t.Size ||
		t.Kind != wordPiece && (t.Kind != unigram || highest >= t.Scores) {
		return nil, fmt.Errorf("%w: the trie or its values are inconsistent", ErrTable)
	}
	return t, nil
}

// trie maps byte strings to values. Its nodes are in breadth-first order, and node 0 is the root. The children of node
// n are the nodes children[n] up to but not including children[n+1], ordered by label.
type trie struct {
	children []uint32
	labels   []byte  // label of the edge to each node
	values   []int32 // value of the string that ends at each node, or -1
}

type entry struct {
	key   string
	value int32
}

// newTrie returns the trie of entries, whose keys must be distinct. It sorts entries.
func newTrie(entries []entry) trie {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	t := trie{labels: []byte{0}}
	type node struct {
		below []entry
		depth int
	}
	nodes := []node{{entries, 0}}
	for n := 0; n < len(nodes); n++ {
		below, depth, value := nodes[n].below, nodes[n].depth, int32(-1)
		if len(below) > 0 && len(below[0].key) == depth {
			below, value = below[1:], below[0].value
		}
		t.children, t.values = append(t.children, uint32(len(nodes))), append(t.values, value)
		for len(below) > 0 {
			label, end := below[0].key[depth], 1
			for end < len(below) && below[end].key[depth] == label {
				end++
			}
			nodes, t.labels = append(nodes, node{below[:end], depth + 1}), append(t.labels, label)
			below = below[end:]
		}
	}
	t.children = append(t.children, uint32(len(nodes)))
	return t
}

func (t *trie) step(node int32, x byte) (int32, bool) {
	from := t.children[node]
	i, ok := slices.BinarySearch(t.labels[from:t.children[node+1]], x)
	return int32(from) + int32(i), ok
}

// walk returns the node of key, or -1.
func (t *trie) walk(key string) int32 {
	node, ok := int32(0), true
	for i := 0; ok && i < len(key); i++ {
		node, ok = t.step(node, key[i])
	}
	if !ok {
		return -1
	}
	return node
}
