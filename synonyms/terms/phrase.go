package terms

import "strings"

// Phrases are stored and looked up by their stemmed words in lower case. A word is a run of letters and digits with any
// + and # after it. Apostrophes are dropped, and all other characters separate words: "Look over my diff" has the words
// look, over, my and diff.

// NextWord returns the stem and position of the first word of text at or after from. ok is false if there is none.
func NextWord(text string, from int) (stem string, start, end int, ok bool) {
	for start = from; start < len(text) && !asciiAlnum(text[start]); start++ {
	}
	if start == len(text) {
		return "", start, start, false
	}
	plain, digits := true, false
	for end = start; end < len(text); end++ {
		switch c := text[end]; {
		case c >= 'a' && c <= 'z':
		case c >= '0' && c <= '9':
			digits = true
		case c >= 'A' && c <= 'Z' || c == '\'' && end+1 < len(text) && asciiAlnum(text[end+1]):
			plain = false
		default:
			goto done
		}
	}
done:
	w := text[start:end]
	if !plain {
		w = strings.ToLower(strings.ReplaceAll(w, "'", ""))
	}
	mark := end
	for end < len(text) && (text[end] == '+' || text[end] == '#') {
		end++
	}
	if end > mark {
		return w + text[mark:end], start, end, true
	}
	if digits {
		return w, start, end, true
	}
	return Stem(w), start, end, true
}

// PhraseKey returns the stemmed words of phrase joined by spaces.
func PhraseKey(phrase string) string {
	var b strings.Builder
	for i := 0; ; {
		w, _, end, ok := NextWord(phrase, i)
		if !ok {
			return b.String()
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
		i = end
	}
}

func asciiAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
