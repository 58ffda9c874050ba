package index

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNextIsTheFirstNotBelow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		var p Postings
		for doc := range uint32(200) {
			if random.IntN(200) < 5*n {
				p.add(doc, 1)
			}
		}
		for range 200 {
			from, doc := random.IntN(len(p.Numbers)+1), random.Uint32N(210)
			at, _ := slices.BinarySearch(p.Numbers[from:], doc)
			if got, want := p.Next(from, doc), from+at; got != want {
				t.Fatalf("Next(%d, %d) = %d, want %d, of %v", from, doc, got, want, p.Numbers)
			}
		}
	}
}
