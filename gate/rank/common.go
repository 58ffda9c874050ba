package rank

import (
	_ "embed"
	"sort"
)

// commonHashes has the index terms (index.PhraseTerm, index.WholeTerm) of words and runs of words
// that people of three or more sources type to coding agents when no skill would help,
// sorted, one a line, all of one length. `skillgate-dev common` writes the file from
// collections of people's turns.
//
//go:embed common.txt
var commonHashes string

// commonLine is the length of a line in bytes: a mark, 48 bits in base64, a newline.
const commonLine = 1 + 8 + 1

// common reports whether a phrase is in commonHashes. Skills that quote such a phrase gain nothing.
func common(term string) bool {
	n := len(commonHashes) / commonLine
	line := func(i int) string { return commonHashes[i*commonLine : (i+1)*commonLine-1] }
	i := sort.Search(n, func(i int) bool { return line(i) >= term })
	return i < n && line(i) == term
}
