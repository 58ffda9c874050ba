package rank

import (
	_ "embed"
	"math"
	"sort"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/skillgate/skillgate/gate/index"
)

// wordShares are the words that one in a hundred skills or more have, of ten thousand that many
// people published: hash and share (WordShare) a line, sorted. A library of a few skills cannot
// tell what a word is worth; these can. `skillgate-dev words` writes the file.
//
//go:embed words.txt
var wordShares string

// wordLine is the length of a line: 48 bits in base64, a letter, the end of the line.
const wordLine = 8 + 1 + 1

// WordShare is a line of words.txt: the hash of an index term and in which share of skills it
// stands, above 0 and at most 1, in quarters of an octave.
func WordShare(term string, share float64) string {
	return wordHash(term) + string(rune('A'+math.Round(-4*math.Log2(share))))
}

func wordHash(term string) string {
	return index.PhraseTerm(analysis.TokenStream{{Term: []byte(term)}})[1:]
}

// share returns in which share of skills a term stands in general, 0 where it is rare.
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
