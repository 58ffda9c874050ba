package rank

import (
	_ "embed"
	"math"
	"sort"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// wordShares has the words that occur in at least 1 % of ten thousand published skills, as sorted lines in the format
// of WordShare. It is needed because a library of a few skills does not show which words are common. `skillgate-dev
// words` writes the file.
//
//go:embed words.txt
var wordShares string

// wordLine is the length of a line in bytes: 48 bits in base64, a letter and a newline.
const wordLine = 8 + 1 + 1

// WordShare returns a line of words.txt: the hash of term and a letter for share, the share of skills with the term.
// share must be above 0 and at most 1, and is rounded to a quarter of an octave.
func WordShare(term string, share float64) string {
	return wordHash(term) + string(rune('A'+math.Round(-4*math.Log2(share))))
}

func wordHash(term string) string {
	return index.PhraseTerm(analysis.TokenStream{{Term: []byte(term)}})[1:]
}

// share returns the share of published skills that contain term, or 0 if words.txt does not have term.
func share(term string) float64 {
	hash := wordHash(term)
	line := func(i int) string { return wordShares[i*wordLine : (i+1)*wordLine-1] }
	n := len(wordShares) / wordLine
	i := sort.Search(n, func(i int) bool { return line(i) >= hash })
	if i == n || line(i)[:len(hash)] != hash {
		return 0
	}
	return math.Exp2(-float64(line(i)[len(hash)]-'A') / 4)
}

// Generic reports whether an English stem says little about the skill that is wanted, even if it is rare in the
// library: verbs of asking, words for time and feelings, small talk.
func Generic(stem string) bool { return vocab.Generic.Has(stem) }
