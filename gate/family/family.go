// Package family tells skills of one capability apart.
//
// Two skills whose descriptions share most of their terms do the same thing under
// different conditions: another version, platform, market or output. Where the
// prompt holds words that only one of them knows, the other is held back; where
// it does not, both are shown, since nothing tells which is right. (SkillResolve
// calls the group a family and the one shown its representative.)
package family

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// Same-capability thresholds, chosen on the pairs of the development data:
// `skillgate bench` reports hsr@5 (the wrong sibling still shown) against hit@5.
const (
	sameCapability = 0.3  // Jaccard of description terms; unrelated skills are below 0.3
	minCue         = 0.02 // share of the prompt's weight that only the shown one knows, net
	minLead        = 1.04 // ratio of scores, so that a cue never overrules the ranking
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

// Jaccard returns the share of terms that two sketches have in common, 0 to 1.
func Jaccard(a, b string) float64 {
	common, i, j := 0, 0, 0
	for i+4 <= len(a) && j+4 <= len(b) {
		switch cmp.Compare(a[i:i+4], b[j:j+4]) {
		case 0:
			common++
			i, j = i+4, j+4
		case -1:
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

// Same reports whether two descriptions are of one capability.
func Same(a, b string) bool { return Jaccard(a, b) >= sameCapability }

// Member is one candidate as its family sees it.
type Member struct {
	Sketch string
	Score  float64
	Knows  []bool // for each concept of the prompt: does the skill's text hold it
}

// HeldBack reports whether b, ranked below a, is held back by it. mass is the
// weight of each concept of the prompt.
func HeldBack(a, b Member, mass []float64) bool {
	if a.Score < minLead*b.Score || !Same(a.Sketch, b.Sketch) {
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
