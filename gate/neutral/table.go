package neutral

import "strings"

// The YAML files in the folder orders list words that are typical of orders. Words with similar meanings form a notion,
// which is one bit of a mask. The files are compiled into a table that is read in place:
//
//	slots  4,097 offsets (uint32): the start of each slot's list, and the end of the last list
//	lists  length byte, word, notions (uint64); if the length's high bit is set, "\x00" in the word stands for a gap
//
// Numbers are little endian. The first three bytes of a word determine its slot. In scripts with blanks between words,
// a word ends with a blank unless it is a stem.
//
//go:generate go run ./internal/gen

const (
	slots       = 4096
	sentenceEnd = '\x01' // follows the last word of a sentence
	maxGap      = 40     // maximum length of a gap, in bytes
	gapBit      = 0x80
)

func u32(at int) int {
	return int(table[at]) | int(table[at+1])<<8 | int(table[at+2])<<16 | int(table[at+3])<<24
}

func u64(at int) uint64 { return uint64(u32(at)) | uint64(u32(at+4))<<32 }

func notionsAt(text string, at int) uint64 {
	if len(text)-at < 3 {
		return 0
	}
	text = text[at:]
	slot := (int(text[0])*961 + int(text[1])*31 + int(text[2])) % slots
	first := 4 * slot
	found := uint64(0)
	for from, to := u32(first), u32(first+4); from < to; {
		gapped := table[from]&gapBit != 0
		word := table[from+1 : from+1+int(table[from]&^gapBit)]
		from += 1 + len(word)
		if strings.HasPrefix(text, word) || gapped && beginsGapped(text, word) {
			found |= u64(from)
		}
		from += 8
	}
	return found
}

// The model of orders is linear over Features. `skillgate-dev orders` writes it, and it is read in place. No text can
// be recovered from it:
//
//	bias   int32, in Units
//	slots  for each of Slots slots, the upper half of a feature's hash (uint16) and its weight (int8, in Units)
//
// A feature is in the slot of the lower half of its hash or in a later slot, but before the next slot with weight 0.
// Other features have weight 0. A sentence with a sum above rounding is an order.

const (
	Slots = 1 << 16  // number of slots
	Unit  = 1.0 / 16 // size of one unit of weight, in logits
)

func bias() int {
	return int(int32(uint32(model[0]) | uint32(model[1])<<8 | uint32(model[2])<<16 | uint32(model[3])<<24))
}

func find(h uint32) (slot uint32, weight int) {
	for slot = h % Slots; ; slot = (slot + 1) % Slots {
		at := 4 + 3*slot
		w := int8(model[at+2])
		if w == 0 || model[at] == byte(h>>16) && model[at+1] == byte(h>>24) {
			return slot, int(w)
		}
	}
}

func beginsGapped(text, word string) bool {
	head, tail, _ := strings.Cut(word, "\x00")
	if !strings.HasPrefix(text, head) {
		return false
	}
	rest := text[len(head)-1 : min(len(text), len(head)+maxGap+len(tail))]
	if tail[0] < 0x80 {
		tail = " " + tail
	}
	return strings.Contains(rest, tail)
}
