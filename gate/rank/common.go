package rank

import (
	_ "embed"
	"sort"
)

// commonHashes has the index terms (index.PhraseTerm, index.WholeTerm) of words and runs of words that people in at
// least three collections of prompts typed when no skill would help. It is sorted and has one term per line, all of
// the same length. `skillgate-dev common` writes the file.
//
//go:embed common.txt
var commonHashes string

// commonLine is the length of a line in bytes: a mark, 48 bits in base64, a newline.
const commonLine = 1 + 8 + 1

// common reports whether a phrase is in commonHashes. A skill gains no score by quoting such a phrase.
func common(term string) bool {
	n := len(commonHashes) / commonLine
	line := func(i int) string { return commonHashes[i*commonLine : (i+1)*commonLine-1] }
	i := sort.Search(n, func(i int) bool { return line(i) >= term })
	return i < n && line(i) == term
}
