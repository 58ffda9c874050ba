package lint

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// A regular expression is slow to find that it does not match. Most need some literal, of which a text has none: that
// is fast to see.

// needs are lists of literals in lower case without blanks. A text that the expression matches holds one of each list.
type needs [][]string

// missing reports whether a text in lower case holds no literal of one of the lists, as holds sees it.
func (n needs) missing(low string, holds func(literal string) bool) bool {
	for _, list := range n {
		if !slices.ContainsFunc(list, holds) {
			return !strings.Contains(low, "ſ") && !strings.Contains(low, "\u212A") // they match s and k where case is ignored
		}
	}
	return false
}

// maxExact is how many texts an expression may stand for to be taken as their list.
const maxExact = 24

// needsOf returns what the texts need that re matches.
func needsOf(re *syntax.Regexp) needs {
	if exact := exactly(re); exact != nil {
		return needs(nil).and(exact)
	}
	var out needs
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return needsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		run := []string{""} // what the last parts say together
		for _, sub := range re.Sub {
			exact := exactly(sub)
			if exact != nil && len(run)*len(exact) <= maxExact {
				run = pairs(run, exact)
				continue
			}
			out = out.and(run)
			if run = exact; exact == nil {
				out, run = append(out, needsOf(sub)...), []string{""}
			}
		}
		return out.and(run)
	case syntax.OpAlternate:
		var any []string
		for _, sub := range re.Sub {
			one := needsOf(sub)
			if len(one) == 0 {
				return nil
			}
			any = append(any, slices.MaxFunc(one, func(a, b []string) int { return shortest(a) - shortest(b) })...)
		}
		slices.Sort(any)
		return needs{slices.Compact(any)}
	}
	return out
}

// and adds a list, or nothing where one of it may be in any text.
func (n needs) and(list []string) needs {
	var pieces []string
	for _, text := range list {
		words := strings.Fields(text)
		if len(words) == 0 {
			return n
		}
		piece := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
		if len(piece) == 1 && nameByte(piece[0]) {
			return n
		}
		pieces = append(pieces, piece)
	}
	slices.Sort(pieces)
	return append(n, slices.Compact(pieces))
}

func shortest(list []string) int {
	return len(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }))
}

// exactly returns the texts that re matches, in lower case, nil where they are many.
func exactly(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCharClass:
		var out []string
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if r != 'ſ' && r != '\u212A' {
					out = append(out, string(unicode.ToLower(r)))
				}
				if len(out) > 8 {
					return nil
				}
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	case syntax.OpCapture:
		return exactly(re.Sub[0])
	case syntax.OpQuest:
		if exact := exactly(re.Sub[0]); exact != nil {
			return append(exact, "")
		}
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			exact := exactly(sub)
			if exact == nil || len(out)*len(exact) > maxExact {
				return nil
			}
			out = pairs(out, exact)
		}
		return out
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			exact := exactly(sub)
			if exact == nil || len(out)+len(exact) > maxExact {
				return nil
			}
			out = append(out, exact...)
		}
		return out
	}
	return nil
}

// pairs returns each of a followed by each of b.
func pairs(a, b []string) []string {
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}
