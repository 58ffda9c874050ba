package hooks

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/clip"
)

// maxSkillInput bounds the work on a text; descriptions end long before.
const maxSkillInput = 8 << 10

// Neutralise returns text, which an unknown author wrote, as one line that is safe
// to show to a model: valid UTF-8, at most max characters, with
//
//   - control, zero-width and bidirectional characters removed,
//   - tags that imitate the host ("system-reminder", "command-name"), code fences
//     and speaker labels at the start of a line ("Human:") removed,
//   - angle brackets turned into ‹ and ›,
//   - sentences that give the model orders ("ignore previous instructions") left out,
//   - white space collapsed.
//
// It removes what is known to be abused. The frame around it, a list of names
// with one line each, is what keeps the rest in its place.
func Neutralise(text string, max int) string {
	if len(text) > maxSkillInput {
		text = text[:maxSkillInput]
	}
	text = printable(text)
	text = dropTags(text)
	var kept []string
	room := max
	open := false // the last of kept ended with its line, not with an end mark
	for line := range strings.SplitSeq(text, "\n") {
		line = dropLabel(dropFences(line))
		for strings.TrimSpace(line) != "" && room >= 0 {
			var one string
			var ended bool
			one, line, ended = cutSentence(line)
			one = strings.Join(strings.Fields(one), " ")
			switch {
			case isOrder(one):
			case open && isOrder(kept[len(kept)-1]+" "+one):
				kept = kept[:len(kept)-1]
			default:
				kept = append(kept, one)
				room -= utf8.RuneCountInString(one)
				open = !ended
				continue
			}
			open = false
		}
	}
	return shorten(strings.Join(kept, " "), max)
}

// printable drops characters that are not seen and keeps line ends as "\n".
func printable(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		text = text[n:]
		switch {
		case r == utf8.RuneError && n == 1:
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\v' || r == '\f':
			b.WriteByte('\n')
		case r < ' ' || r == 0x7f: // a control character may part two words
			b.WriteByte(' ')
		case r < 0x80:
			b.WriteByte(byte(r))
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Co, r):
		case unseen(r):
		case r == '＜' || r == '﹤':
			b.WriteByte('<')
		case r == '＞' || r == '﹥':
			b.WriteByte('>')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unseen reports letters and marks that leave no ink: Hangul fillers, variation
// selectors, the combining grapheme joiner.
func unseen(r rune) bool {
	switch {
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x2800,
		0x180b <= r && r <= 0x180f, 0xfe00 <= r && r <= 0xfe0f, 0xe0100 <= r && r <= 0xe01ef:
		return true
	}
	return false
}

// hostTags are element names by which hosts mark their own text; a name counts
// when it begins with one of them.
var hostTags = []string{
	"system", "human", "assistant", "user-prompt", "command-", "local-command", "bash-", "task-notification",
	"function_", "invoke", "parameter name", "tool_", "tool-", "antml", "pasted_content", "persisted-output",
	"available_skills", "instructions", "important", "thinking", "new-diagnostics", "ide_", "im_start", "im_end", "endoftext",
}

// dropTags removes tags of the host and turns the brackets that are left over
// into quotation marks that no markup uses.
func dropTags(text string) string {
	for _, entity := range [...][2]string{{"&lt;", "<"}, {"&gt;", ">"}, {"&LT;", "<"}, {"&GT;", ">"}, {"&#60;", "<"}, {"&#62;", ">"}, {"&#x3c;", "<"}, {"&#x3e;", ">"}, {"&#x3C;", "<"}, {"&#x3E;", ">"}} {
		if strings.Contains(text, entity[0]) {
			text = strings.ReplaceAll(text, entity[0], entity[1])
		}
	}
	if !strings.ContainsAny(text, "<>") {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexAny(text, "<>")
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		if text[i] == '>' {
			b.WriteString("›")
			text = text[i+1:]
			continue
		}
		if n := hostTag(text[i:]); n > 0 {
			b.WriteByte(' ')
			text = text[i+n:]
			continue
		}
		b.WriteString("‹")
		text = text[i+1:]
	}
}

// hostTag returns the length of the host's tag that text begins with, or 0.
func hostTag(text string) int {
	name := strings.TrimLeft(text[1:], " /\\|\n")
	for _, tag := range hostTags {
		if len(name) < len(tag) || !strings.EqualFold(name[:len(tag)], tag) {
			continue
		}
		if end := strings.IndexAny(text[1:], "<>"); end >= 0 && text[1+end] == '>' {
			return end + 2
		}
		end := strings.IndexAny(name, "<> \t\n") // unfinished: drop the name at least
		if end < 0 {
			end = len(name)
		}
		return len(text) - len(name) + end
	}
	return 0
}

// dropFences removes runs of three or more backticks or tildes.
func dropFences(line string) string {
	for _, fence := range [...]string{"```", "~~~"} {
		for {
			i := strings.Index(line, fence)
			if i < 0 {
				break
			}
			line = line[:i] + " " + strings.TrimLeft(line[i:], fence[:1])
		}
	}
	return line
}

var speakers = []string{"human", "assistant", "system", "user", "claude", "developer", "tool", "사용자", "시스템", "어시스턴트"}

// dropLabel removes speaker labels at the start of a line.
func dropLabel(line string) string {
	for {
		bare := strings.TrimLeft(line, " \t#*_->[")
		name, rest, ok := strings.Cut(bare, ":")
		if !ok {
			if name, rest, ok = strings.Cut(bare, "："); !ok {
				return line
			}
		}
		name = strings.TrimRight(name, " *_]")
		found := false
		for _, s := range speakers {
			if strings.EqualFold(name, s) {
				found = true
			}
		}
		if !found {
			return line
		}
		line = strings.TrimLeft(rest, " *_")
	}
}

// cutSentence returns the first sentence of line with its end mark, the rest, and
// whether there was an end mark.
func cutSentence(line string) (sentence, rest string, ended bool) {
	for i, r := range line {
		switch r {
		case '.', '!', '?', ';':
			next := line[i+1:]
			if next != "" && !strings.ContainsRune(" \t\"')", rune(next[0])) {
				continue // file.go, 1.5, pdf.js
			}
			return line[:i+1], next, true
		case '。', '！', '？':
			n := i + utf8.RuneLen(r)
			return line[:n], line[n:], true
		}
	}
	return line, "", false
}

// shorten cuts text to at most max characters, at a space where one is near.
func shorten(text string, max int) string {
	if utf8.RuneCountInString(text) <= max {
		return text
	}
	head := clip.Chars(text, max-1)
	if i := strings.LastIndexByte(head, ' '); i > len(head)*3/4 {
		head = head[:i]
	}
	return strings.TrimRight(head, " ,;:-") + "…"
}
