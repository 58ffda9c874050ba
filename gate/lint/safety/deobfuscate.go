package safety

import (
	"cmp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
)

func deobfuscate(src *source.File, odd bool) map[int]string {
	vars, cut := variables(src), cutsWords(src.Text)
	powerShell := strings.HasSuffix(strings.ToLower(src.Path), ".ps1") && strings.Contains(src.Text, "`")
	if !odd && len(vars) == 0 && !cut && !powerShell {
		return nil
	}
	out := map[int]string{}
	for n := 1; n <= src.Lines(); n++ {
		line, last := joined(src, n)
		plain := line
		if odd && !isASCII(line) {
			plain = foldLetters(plain)
		}
		if strings.ContainsAny(plain, `"'$\`) && len(plain) <= maxExpanded {
			plain = expand(joinPieces(expand(plain, vars)), vars)
		}
		if powerShell {
			plain = strings.ReplaceAll(plain, "`", "")
		}
		if plain != line {
			out[n] = plain
		}
		n = last
	}
	return out
}

const (
	maxExpanded = 2000 // maximum bytes of a line with expanded variables
	maxValue    = 300  // maximum bytes of a variable's value
	maxVars     = 50   // maximum number of variables in a file
)

func cutsWords(text string) bool {
	inWord := func(at int) bool { return at > 0 && small(text[at-1]) && at+2 < len(text) && small(text[at+2]) }
	if source.AnyOccurrence(text, `""`, inWord) || source.AnyOccurrence(text, "''", inWord) {
		return true
	}
	return source.AnyOccurrence(text, "IFS", func(at int) bool {
		before, end := strings.TrimSuffix(text[:at], "{"), at+len("IFS")
		return strings.HasSuffix(before, "$") && (end == len(text) || !nameByte(text[end]))
	})
}

func small(c byte) bool { return c >= 'a' && c <= 'z' }

func joinPieces(line string) string {
	if !cutsWords(line) {
		return line
	}
	line = expr("wordQuotes").ReplaceAllString(line, "$1$2")
	return expr("inputSeparator").ReplaceAllString(line, " ")
}

func variables(src *source.File) map[string]string {
	if !strings.Contains(src.Text, "$") {
		return nil
	}
	out := map[string]string{}
	for line := range strings.Lines(src.Text) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) > maxExpanded || len(out) == maxVars || !strings.Contains(line, "=") {
			continue
		}
		for _, m := range expr("assignment").FindAllStringSubmatch(line, 5) {
			value := strings.Trim(m[2], `"'`)
			used := strings.Contains(src.Text, "$"+m[1]) || strings.Contains(src.Text, "${"+m[1])
			if len(value) <= maxValue && used && expr("worthExpanding").MatchString(value) {
				out[m[1]] = value
			}
		}
	}
	return out
}

func nameByte(c byte) bool { return c == '_' || c < utf8.RuneSelf && letter(rune(c)) }

func expand(line string, vars map[string]string) string {
	if len(vars) == 0 || !strings.Contains(line, "$") {
		return line
	}
	return expr("shellVariable").ReplaceAllStringFunc(line, func(name string) string {
		if v, ok := vars[strings.Trim(name, "${}")]; ok {
			return v
		}
		return name
	})
}

func hasOdd(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		common := r < 0xAD || r >= 0x3165 && r < 0xFB00 || r >= 0x2E80 && r < 0x3164 || r >= 0xFF01 && r < 0xFF10
		return !common && (source.Hidden(r) || latinFor(r) != r)
	})
}

func foldLetters(line string) string {
	if !strings.ContainsFunc(line, latinLetter) {
		return line
	}
	line = strings.Map(func(r rune) rune {
		if source.Hidden(r) {
			return -1
		}
		return r
	}, line)
	return expr("foldedWord").ReplaceAllStringFunc(line, func(word string) string {
		if plain := strings.Map(latinFor, word); isASCII(plain) || strings.ContainsFunc(word, latinLetter) {
			return plain
		}
		return word // a word of another script
	})
}

func latinLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// latinFor returns the Latin letter that looks like r, or r.
func latinFor(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
		return r - 0xFF01 + '!'
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets of 52 letters each
		n := (r - 0x1D400) % 52
		return 'A' + n%26 + n/26*('a'-'A')
	}
	return cmp.Or(drawnLikeLatin()[r], r)
}

var drawnLikeLatin = sync.OnceValue(func() map[rune]rune {
	out := map[rune]rune{}
	for _, pair := range wordList("drawnLikeLatin") {
		r := []rune(pair)
		out[r[0]] = r[1]
	}
	return out
})
