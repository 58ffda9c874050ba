package rank

import (
	_ "embed"
	"sort"
)

// commonHashes has the index terms (index.PhraseTerm, index.WholeTerm) of common phrases: users in at least three
// prompt collections typed them when no skill would help. It has one term per line, sorted and all of the same length.
// `skillgate-dev common` writes the file.
//
//go:embed common.txt
var commonHashes string

// commonLine is the length of a line in bytes: a mark, 48 bits in base64 and a newline.
const commonLine = 1 + 8 + 1

// common reports whether a phrase's index term is in commonHashes. Quoting such a phrase adds nothing to a skill's
// score.
func common(term string) bool {
	n := len(commonHashes) / commonLine
	line := func(i int) string { return commonHashes[i*commonLine : (i+1)*commonLine-1] }
	i := sort.Search(n, func(i int) bool { return line(i) >= term })
	return i < n && line(i) == term
}
