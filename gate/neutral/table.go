package neutral

import (
	_ "embed"
	"strings"
)

// The words of orders and the rules that make an order of them are YAML files in the
// folder orders, compiled into a table that is used where it lies in the binary:
//
//	rules  uint32: how many; of each the notions that it needs and those it must be without (uint64)
//	slots  4,097 offsets (uint32): where the list of a slot begins and the last one ends
//	lists  length byte, word, notions (uint64); the length's high bit says that "\x00" in the word is a gap
//
// Numbers are little endian. A word is in the slot of its first three bytes. One of a
// script that parts words by blanks ends with a blank unless other letters may follow.
//
//go:generate go run ./internal/gen
//go:embed orders.bin
var table string

const (
	slots       = 4096
	sentenceEnd = '\x01' // behind the last word
	maxGap      = 40     // bytes in the gap of a word
	gapBit      = 0x80
)

func u32(at int) int {
	return int(table[at]) | int(table[at+1])<<8 | int(table[at+2])<<16 | int(table[at+3])<<24
}

func u64(at int) uint64 { return uint64(u32(at)) | uint64(u32(at+4))<<32 }

// notionsAt returns the notions of the words that text has at a place where a word begins.
func notionsAt(text string, at int) uint64 {
	if len(text)-at < 3 {
		return 0
	}
	text = text[at:]
	slot := (int(text[0])*961 + int(text[1])*31 + int(text[2])) % slots
	first := 4 + 16*u32(0) + 4*slot
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

// beginsGapped reports whether text begins with a word of the table that has a gap.
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
