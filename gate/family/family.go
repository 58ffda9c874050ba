// Package family recognizes skills of the same capability and chooses between them.
//
// Two skills belong to one family if their descriptions share many terms, including terms that are rare among the
// prompt's candidates: they do the same thing for different versions, platforms, markets or outputs. If the prompt has
// words that only one of them contains, the other is held back. Otherwise both are shown.
package family

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sort"
	"strings"
)

// Thresholds, chosen on pairs of similar skills in the development data. To check a change, compare HSR@5 in `skillgate
// bench`: the share of prompts with the wrong sibling among the first five.
const (
	sameCapability = 0.3  // Jaccard index of two descriptions' terms; unrelated skills have less
	leastCommon    = 4    // minimum number of shared terms; short descriptions nearly always share two or three
	minLead        = 1.04 // minimum ratio of the better skill's score to the other's
	// minimum weight of the concepts only in the better skill minus those only in the other, as a share of the weight
	// of all concepts of the prompt
	minCue = 0.02
)

// Sketch packs the distinct terms of a description as sorted 32-bit hashes.
func Sketch(terms []string) string {
	hashes := make([]uint32, len(terms))
	for i, t := range terms {
		h := fnv.New32a()
		h.Write([]byte(t))
		hashes[i] = h.Sum32()
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	b := make([]byte, 0, 4*len(hashes))
	for _, h := range hashes {
		b = binary.BigEndian.AppendUint32(b, h)
	}
	return string(b)
}

// Holds reports whether sketch contains term. Hash collisions may cause false positives.
func Holds(sketch, term string) bool {
	h := fnv.New32a()
	h.Write([]byte(term))
	want := h.Sum32()
	n := sort.Search(len(sketch)/4, func(i int) bool { return at(sketch, 4*i) >= want })
	return 4*n < len(sketch) && at(sketch, 4*n) == want
}

// Jaccard returns the Jaccard index of two sketches: the share of their terms that both have, 0 to 1.
func Jaccard(a, b string) float64 { return jaccard(a, b, 0) }

func jaccard(a, b string, least float64) float64 {
	enough := int(least/(1+least)*float64(len(a)/4+len(b)/4)) - 1 // shared terms required, minus 1 for rounding
	common, i, j := 0, 0, 0
	for i+4 <= len(a) && j+4 <= len(b) {
		if common+min(len(a)-i, len(b)-j)/4 < enough {
			return 0
		}
		switch x, y := at(a, i), at(b, j); {
		case x == y:
			common++
			i, j = i+4, j+4
		case x < y:
			i += 4
		default:
			j += 4
		}
	}
	all := len(a)/4 + len(b)/4 - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// Same reports whether two sketches describe the same capability.
func Same(a, b string) bool { return jaccard(a, b, sameCapability) >= sameCapability }

// Group is the set of candidates for one prompt. Terms that many candidates share are boilerplate or the prompt's
// topic, so they do not distinguish candidates.
type Group struct {
	sketches []string
	having   map[uint32]int // number of sketches by term; computed on first use
}

// NewGroup returns the group of the skills with the given sketches.
func NewGroup(sketches []string) *Group { return &Group{sketches: sketches} }

// particular reports whether term distinguishes members of the group: at most a third have it, or the group has fewer
// than four members.
func (g *Group) particular(term uint32) bool {
	if g.having == nil {
		g.having = make(map[uint32]int, 32*len(g.sketches))
		for _, s := range g.sketches {
			for i := 0; i+4 <= len(s); i += 4 {
				g.having[at(s, i)]++
			}
		}
	}
	return len(g.sketches) < 4 || 3*g.having[term] <= len(g.sketches)
}

func at(s string, i int) uint32 {
	return uint32(s[i])<<24 | uint32(s[i+1])<<16 | uint32(s[i+2])<<8 | uint32(s[i+3])
}

// same reports whether sketches a and b describe the same capability, judged both by all their terms and by the
// particular terms alone.
func (g *Group) same(a, b string) bool {
	if !Same(a, b) {
		return false
	}
	common, all := 0, 0
	count := func(term uint32, n int) {
		if g.particular(term) {
			all++
			common += n
		}
	}
	i, j := 0, 0
	for i+4 <= len(a) || j+4 <= len(b) {
		switch {
		case j+4 > len(b) || i+4 <= len(a) && at(a, i) < at(b, j):
			count(at(a, i), 0)
			i += 4
		case i+4 > len(a) || at(a, i) > at(b, j):
			count(at(b, j), 0)
			j += 4
		default:
			count(at(a, i), 1)
			i, j = i+4, j+4
		}
	}
	return common >= leastCommon && float64(common) >= sameCapability*float64(all)
}

var opposites = [][2]string{
	{"save", "restore"}, {"backup", "restore"}, {"open", "close"}, {"start", "stop"}, {"start", "finish"},
	{"pause", "resume"},
	{"encrypt", "decrypt"}, {"encode", "decode"}, {"import", "export"}, {"upload", "download"}, {"push", "pull"},
	{"send", "receive"},
	{"create", "delete"}, {"add", "remove"}, {"install", "uninstall"}, {"enable", "disable"}, {"lock", "unlock"},
	{"compress", "extract"},
	{"merge", "split"}, {"deploy", "rollback"}, {"read", "write"}, {"publish", "unpublish"}, {"request", "receive"},
	{"requesting", "receiving"},
	{"giving", "receiving"}, {"login", "logout"}, {"buy", "sell"}, {"sign", "verify"}, {"attack", "defend"},
	{"encoder", "decoder"},
}

func opposite(a, b string) bool {
	x, y := words(a), words(b)
	for _, o := range opposites {
		if slices.Contains(x, o[0]) && slices.Contains(y, o[1]) && !slices.Contains(x, o[1]) && !slices.Contains(y, o[0]) ||
			slices.Contains(x, o[1]) && slices.Contains(y, o[0]) && !slices.Contains(x, o[0]) && !slices.Contains(y, o[1]) {
			return true
		}
	}
	return false
}

func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == '-' || r == '_' || r == ':' || r == ' ' || r == '/'
	})
}

// Member is one candidate of a Group.
type Member struct {
	Name   string
	Sketch string
	Score  float64
	Knows  []bool // for each concept of the prompt, whether the skill's text contains it
}

// HeldBack reports whether a, the better-ranked member, holds back b. mass has the weight of each concept of the
// prompt.
func (g *Group) HeldBack(a, b Member, mass []float64) bool {
	if a.Score < minLead*b.Score || !g.same(a.Sketch, b.Sketch) || opposite(a.Name, b.Name) {
		return false
	}
	var net, all float64
	for i, m := range mass {
		all += m
		switch {
		case a.Knows[i] && !b.Knows[i]:
			net += m
		case b.Knows[i] && !a.Knows[i]:
			net -= m
		}
	}
	return all > 0 && net >= minCue*all
}
