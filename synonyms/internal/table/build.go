package table

import (
	"encoding/binary"
	"slices"
)

// Builder collects the parts of a table. The zero value is ready to use.
type Builder struct {
	text  []byte
	texts map[string]uint32
	lists []uint32
	known map[string]uint32 // offset of a stored list, by its bytes
	heads []uint32

	Korean, Affix, English map[string][]uint32 // list items by key
}

// Text stores s, cut to 255 bytes, and returns its offset.
func (b *Builder) Text(s string) uint32 {
	if b.texts == nil {
		b.texts = map[string]uint32{"": 0}
		b.text = []byte{0}
	}
	if off, ok := b.texts[s]; ok {
		return off
	}
	off := uint32(len(b.text))
	b.texts[s] = off
	b.text = append(b.text, byte(min(len(s), 255)))
	b.text = append(b.text, s[:min(len(s), 255)]...)
	return off
}

func (b *Builder) list(items []uint32) uint32 {
	if b.known == nil {
		b.lists, b.known = []uint32{0}, map[string]uint32{"": 0}
	}
	key := string(words(items))
	n, ok := b.known[key]
	if !ok {
		n = uint32(len(b.lists))
		b.known[key] = n
		b.lists = append(append(b.lists, uint32(len(items))), items...)
	}
	return n
}

// Head adds a headword and returns its id.
func (b *Builder) Head(text string, senses, stems []string, flags uint32) uint32 {
	strings := func(all []string) uint32 {
		var items []uint32
		for _, s := range all {
			items = append(items, b.Text(s))
		}
		return b.list(items)
	}
	id := uint32(len(b.heads) * 4 / headSize)
	b.heads = append(b.heads, b.Text(text), strings(senses), strings(stems), flags)
	return id
}

// Bytes returns the finished table. Equal input gives equal bytes.
func (b *Builder) Bytes() []byte {
	b.Text("")
	b.list(nil)
	tries := [][3][]byte{b.trie(b.Korean), b.trie(b.Affix), b.trie(b.English)}
	parts := [][]byte{b.text, words(b.lists), words(b.heads)}
	for _, t := range tries {
		parts = append(parts, t[0], t[1], t[2])
	}
	out := make([]byte, header)
	copy(out, magic)
	for i, p := range parts {
		binary.LittleEndian.PutUint32(out[len(magic)+4+8*i:], uint32(len(out)))
		binary.LittleEndian.PutUint32(out[len(magic)+8+8*i:], uint32(len(p)))
		out = append(out, p...)
	}
	binary.LittleEndian.PutUint32(out[len(magic):], checksum(string(out[len(magic)+4:])))
	return out
}

func (b *Builder) trie(keys map[string][]uint32) [3][]byte {
	sorted := make([]string, 0, len(keys))
	for k := range keys {
		if k != "" {
			sorted = append(sorted, k)
		}
	}
	slices.Sort(sorted)
	type node struct{ lo, hi, depth int }
	queue := []node{{0, len(sorted), 0}}
	labels := []byte{0}
	var first, values []uint32
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		value := uint32(0)
		if n.lo < n.hi && len(sorted[n.lo]) == n.depth {
			value = b.list(keys[sorted[n.lo]])
			n.lo++
		}
		first = append(first, uint32(len(queue)-i))
		values = append(values, value)
		for lo := n.lo; lo < n.hi; {
			c := sorted[lo][n.depth]
			hi := lo
			for hi < n.hi && sorted[hi][n.depth] == c {
				hi++
			}
			queue = append(queue, node{lo, hi, n.depth + 1})
			labels = append(labels, c)
			lo = hi
		}
	}
	return [3][]byte{labels, words(append(first, 0)), words(values)}
}

func words(all []uint32) []byte {
	out := make([]byte, 0, 4*len(all))
	for _, v := range all {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}
