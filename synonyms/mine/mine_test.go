package mine

import (
	"math"
	"slices"
	"testing"

	"github.com/skillgate/skillgate/synonyms"
)

// library says the same thing in both languages; 갈무개 is a made-up word.
func library() []string {
	var texts []string
	for range 6 {
		texts = append(texts, "Polishes marbles for a collection. 갈무개 구슬을 닦아 준다", "Repairs a wooden zither. 가야금 수리",
			"Files quarterly tax returns. 세금 신고",
		)
	}
	return append(texts, "갈무개 이야기", "Only English here about marbles")
}

func TestPairsOfWordsThatOccurTogether(t *testing.T) {
	got := Pairs(library(), synonyms.Default(), Options{Least: 3})
	i := slices.IndexFunc(got, func(p Pair) bool { return p.Korean == "갈무개" })
	if i < 0 {
		t.Fatalf("Pairs = %+v, want one of 갈무개", got)
	}
	p := got[i]
	if p.Both != 6 || p.OfKo != 6 || p.OfEn != 6 || p.G2 < minG2 || p.PMI <= 0 {
		t.Errorf("Pairs: %+v, want 6 texts of 6 and a positive association", p)
	}
}

// 세금 is tax in the dictionary: neither is proposed with anything else.
func TestPairsLeavesOutWhatTheDictionaryKnows(t *testing.T) {
	for _, p := range Pairs(library(), synonyms.Default(), Options{Least: 3}) {
		if p.Korean == "세금" || p.Stem == "tax" {
			t.Errorf("Pairs proposes %s = %s, want nothing of what the dictionary explains", p.Korean, p.English)
		}
	}
}

func TestPairsUsesEachWordOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Pairs(library(), synonyms.Default(), Options{Least: 1}) {
		if seen[p.Korean] || seen[p.Stem] {
			t.Errorf("Pairs uses %s or %s twice", p.Korean, p.Stem)
		}
		seen[p.Korean], seen[p.Stem] = true, true
	}
}

func TestPairsNeedsTheLeastNumberOfTexts(t *testing.T) {
	if got := Pairs(library(), synonyms.Default(), Options{Least: 7}); len(got) != 0 {
		t.Errorf("Pairs(least 7) = %+v, want none: no pair is in seven texts", got)
	}
}

func TestPairsLeavesOutGeneralWords(t *testing.T) {
	general := func(string) bool { return true }
	if got := Pairs(library(), synonyms.Default(), Options{Least: 1, General: general}); len(got) != 0 {
		t.Errorf("Pairs with every English word general = %+v, want none", got)
	}
}

func TestG2(t *testing.T) {
	tests := []struct {
		name          string
		both, a, b, n int
		want          float64
	}{
		{"independent words", 1, 10, 10, 100, 0},
		{"always together", 10, 10, 10, 100, 65.017},
		{"never together", 0, 50, 50, 100, 138.629},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := g2(tt.both, tt.a, tt.b, tt.n); math.Abs(got-tt.want) > 5e-3 {
				t.Errorf("g2(%d, %d, %d, %d) = %.3f, want %.3f", tt.both, tt.a, tt.b, tt.n, got, tt.want)
			}
		})
	}
}
