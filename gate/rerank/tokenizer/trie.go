package tokenizer

import (
	"fmt"
	"slices"
	"strings"
)

// trie is a double array over bytes. Node s has base b and check c; its child
// for byte x is b+x where that node's check is s. The child for byte 0 holds a
// key's value as its base. Node 0 is the root.
type trie []byte

const nodeSize = 8

func (t trie) len() int { return len(t) / nodeSize }

func (t trie) base(s int32) int32  { return int32(le.Uint32(t[int(s)*nodeSize:])) }
func (t trie) check(s int32) int32 { return int32(le.Uint32(t[int(s)*nodeSize+4:])) }

func (t trie) step(s int32, x byte) (int32, bool) {
	next := int64(t.base(s)) + int64(x)
	if next <= 0 || next >= int64(t.len()) || t.check(int32(next)) != s {
		return 0, false
	}
	return int32(next), true
}

func (t trie) value(s int32) (int32, bool) {
	leaf, ok := t.step(s, 0)
	if !ok {
		return 0, false
	}
	return t.base(leaf), true
}

func (t trie) walk(s int32, key string) (int32, bool) {
	if t.len() == 0 {
		return 0, false
	}
	for i := 0; i < len(key); i++ {
		var ok bool
		if s, ok = t.step(s, key[i]); !ok {
			return 0, false
		}
	}
	return s, true
}

type entry struct {
	key   string
	value int32
}

// buildTrie returns the double array of entries, which it sorts. Keys must be
// distinct, not empty and free of zero bytes.
func buildTrie(entries []entry) (trie, error) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	for i, e := range entries {
		if e.key == "" || strings.IndexByte(e.key, 0) >= 0 {
			return nil, fmt.Errorf("vocabulary: token %d is empty or holds a zero byte", e.value)
		}
		if i > 0 && e.key == entries[i-1].key {
			return nil, fmt.Errorf("vocabulary: %q is there twice", e.key)
		}
	}
	b := builder{entries: entries, from: 1}
	b.grow(512)
	b.used[0], b.nodes[1] = true, -1
	// Breadth first by an explicit queue: a long key must not deepen a stack.
	queue := []span{{0, 0, len(entries), 0}}
	for len(queue) > 0 {
		s := queue[0]
		queue = append(queue[1:], b.place(s)...)
	}
	out := make(trie, 0, b.top*nodeSize)
	for _, v := range b.nodes[:2*b.top] {
		out = le.AppendUint32(out, uint32(v))
	}
	return out, nil
}

// span is the run of entries below one node.
type span struct {
	node   int32
	lo, hi int
	depth  int
}

type builder struct {
	entries []entry
	nodes   []int32 // base and check in turn
	used    []bool
	from    int // where to look for free places
	top     int // one more than the highest used place
	labels  []int
	starts  []int
}

func (b *builder) grow(n int) {
	for len(b.used) < n {
		b.used = append(b.used, false)
		b.nodes = append(b.nodes, 0, -2)
	}
}

func (b *builder) place(s span) []span {
	b.labels, b.starts = b.labels[:0], b.starts[:0]
	for i := s.lo; i < s.hi; i++ {
		label := 0
		if key := b.entries[i].key; len(key) > s.depth {
			label = int(key[s.depth])
		}
		if n := len(b.labels); n == 0 || b.labels[n-1] != label {
			b.labels = append(b.labels, label)
			b.starts = append(b.starts, i)
		}
	}
	if len(b.labels) == 0 {
		return nil
	}
	base := b.fit()
	b.nodes[2*int(s.node)] = int32(base)
	var out []span
	for i, label := range b.labels {
		at := base + label
		b.used[at] = true
		b.top = max(b.top, at+1)
		b.nodes[2*at+1] = s.node
		if label == 0 {
			b.nodes[2*at] = b.entries[b.starts[i]].value
			continue
		}
		hi := s.hi
		if i+1 < len(b.starts) {
			hi = b.starts[i+1]
		}
		out = append(out, span{int32(at), b.starts[i], hi, s.depth + 1})
	}
	return out
}

// window is how many places fit looks at before it gives them up: larger makes a
// table denser and its making slower.
const window = 512

// fit returns a base whose places for all labels are free: within the window, or
// else past everything used. Places left behind stay empty.
func (b *builder) fit() int {
	for at := b.from; at < b.from+window; at++ {
		b.grow(at + 512)
		base := at - b.labels[0]
		if base < 1 || b.used[at] {
			if at == b.from {
				b.from++
			}
			continue
		}
		free := true
		for _, label := range b.labels[1:] {
			if b.used[base+label] {
				free = false
				break
			}
		}
		if free {
			return base
		}
	}
	b.from += window / 8
	base := max(b.top, 1)
	b.grow(base + 512)
	return base
}
