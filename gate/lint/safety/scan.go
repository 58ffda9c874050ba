package safety

import (
	"maps"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

type textFile struct {
	src          *source.File
	script       bool
	low          string // src.Text in lower case, with the same offsets
	parts        *trigrams
	deobfuscated map[int]string // obfuscated lines in plain form, by 1-based line number
	unseen       []hiddenRun    // invisible characters
	turned       []hiddenRun    // bidirectional controls
}

func newText(src *source.File, script bool) *textFile {
	low := strings.ToLower(src.Text)
	if len(low) != len(src.Text) {
		low = asciiLower(src.Text)
	}
	t := &textFile{src: src, script: script, low: low, parts: trigramsOf(low)}
	odd := false
	if !isASCII(src.Text) {
		odd = hasOdd(src.Text)
		t.unseen, t.turned = hiddenRuns(src.Text)
	}
	t.deobfuscated = deobfuscate(src, odd)
	return t
}

type hit struct {
	t          *textFile
	line       string // the line with its continuation lines
	n          int    // 1-based number of the line in the file
	from, to   int    // offsets of the match in line
	start, end int    // offsets of the match in the file
	p          *pattern
}

func (h hit) text() string { return h.line[h.from:h.to] }

func (t *textFile) hitAt(start, end int) hit {
	n := t.src.LineAt(start)
	line, from := t.src.LineText(n), start-t.src.LineStart(n)
	return hit{t: t, line: line, n: n, from: from, to: min(len(line), from+end-start), start: start, end: end}
}

const maxHits = 5

func scanLines(s *Skill, rule string, skip func(s *Skill, h hit) bool, report func(h hit)) {
	scanTexts(s, s.texts(), safety().byRule[rule], skip, report)
}

func scanTexts(s *Skill, texts []*textFile, patterns []*pattern, skip func(s *Skill, h hit) bool, report func(h hit)) {
	found := 0
	for _, t := range texts {
		patterns := patterns
		if len(t.deobfuscated) == 0 {
			patterns = slices.DeleteFunc(slices.Clone(patterns), func(p *pattern) bool {
				return !slices.ContainsFunc(p.Keywords, t.parts.mayHold) ||
					p.With != nil && !slices.ContainsFunc(p.With, t.parts.mayHold)
			})
		}
		for _, n := range t.candidates(patterns) {
			line, _ := joined(t.src, n)
			from := t.src.LineStart(n)
			h, ok := firstMatch(s, hit{t: t, n: n, line: line}, t.low[from:from+len(line)], patterns, skip)
			h.start, h.end = from+h.from, from+h.to
			if plain := t.deobfuscated[n]; !ok && plain != "" {
				h, ok = firstMatch(s, hit{t: t, n: n, line: plain}, asciiLower(plain), patterns, skip)
				h.start, h.end = from, from+len(line)
			}
			if ok {
				report(h)
				if found++; found == maxHits {
					return
				}
			}
		}
	}
}

func (t *textFile) candidates(patterns []*pattern) []int {
	out := slices.Collect(maps.Keys(t.deobfuscated))
	for _, p := range patterns {
		for _, w := range p.Keywords {
			if !t.parts.mayHold(w) {
				continue
			}
			last := 0
			for at := range source.Occurrences(t.low, w) {
				n := t.src.LineAt(at)
				if n == last {
					continue
				}
				last = n
				for back := 0; n > 1 && back < maxJoined && strings.HasSuffix(t.src.LineText(n-1), `\`); back++ {
					n--
				}
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *textFile) hasAny(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return t.parts.mayHold(w) && strings.Contains(t.low, w) })
}

// trigrams is a Bloom filter of the three-byte sequences in a text. It quickly rules out most of the searched words.
type trigrams [1 << 10]uint64

func trigramBit(a, b, c byte) uint32 {
	return (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 0x9E3779B1 >> 16 // high bits depend on all input bits
}

func trigramsOf(text string) *trigrams {
	t := new(trigrams)
	for i := 2; i < len(text); i++ {
		bit := trigramBit(text[i-2], text[i-1], text[i])
		t[bit>>6] |= 1 << (bit & 63)
	}
	return t
}

func (t *trigrams) mayHold(word string) bool {
	for i := 2; i < len(word); i++ {
		bit := trigramBit(word[i-2], word[i-1], word[i])
		if t[bit>>6]&(1<<(bit&63)) == 0 {
			return false
		}
	}
	return true
}

func firstMatch(s *Skill, h hit, low string, patterns []*pattern, skip func(s *Skill, h hit) bool) (hit, bool) {
	for _, p := range patterns {
		if !hasAny(low, p.Keywords) || !hasAny(low, p.With) {
			continue
		}
		m := p.Expression().FindStringIndex(h.line)
		if m == nil || p.allowed(h.line, m) || p.About.matches(s.about()+" "+h.t.src.Path) {
			continue
		}
		h.p, h.from, h.to = p, m[0], m[1]
		if !skip(s, h) {
			return h, true
		}
	}
	return h, false
}

func hasAny(text string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

const maxJoined = 20 // maximum number of continuation lines of a command

// joined returns line n with the lines that continue it after a backslash, and the number of the last line. Spaces
// replace backslashes and line ends, so offsets are the same as in the file.
func joined(src *source.File, n int) (string, int) {
	line := src.LineText(n)
	if !strings.HasSuffix(line, `\`) || n == src.Lines() {
		return line, n
	}
	last := n
	for last < src.Lines() && last < n+maxJoined && strings.HasSuffix(src.LineText(last), `\`) {
		last++
	}
	return lineEnds.Replace(src.Text[src.LineStart(n) : src.LineStart(last)+len(src.LineText(last))]), last
}

var lineEnds = strings.NewReplacer("\\\r", "  ", "\\\n", "  ", "\r", " ", "\n", " ")
