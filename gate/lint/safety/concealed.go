package safety

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
)

// Concealed reports hidden characters that spell a message, and text that spaces push out of view.
func Concealed(s *Skill, report func(Finding)) {
	for _, t := range s.texts() {
		if t.message() {
			report(t.invisible("hidden characters", t.unseen))
		}
		if at, end, ok := pushedAway(t.src.Text); ok {
			report(Finding{At: t.src.Span(at, end), Usual: t.script && expr("commentLine").MatchString(t.src.Text[at:end]),
				Text: "text pushed out of view by more than 150 spaces: " + source.Short(t.src.Text[at:end])})
		}
	}
}

func spells(r rune) bool { return source.ZeroWidth(r) || source.Tag(r) || source.Selector(r) }

type hiddenRun struct {
	start, end, n int
	r             rune
}

const messageRun = 8  // minimum run of hidden characters that counts as a message; as bits, it encodes a letter
const messageAll = 24 // minimum hidden characters of a file that count as a message; as bits, they encode three letters

// message reports whether a file has enough hidden characters for a message. Copied pages often have a few.
func (t *textFile) message() bool {
	n := 0
	for _, r := range t.unseen {
		if r.n >= messageRun || r.n >= 2 && (source.Tag(r.r) || source.Selector(r.r)) {
			return true
		}
		if t.hyphenation(r) {
			continue
		}
		before, after := t.src.Text[:r.start], t.src.Text[r.end:]
		line := before[strings.LastIndexByte(before, '\n')+1:]
		usual := strings.HasPrefix(after, "\n") && (line == "" || line[0] == '#') || strings.HasSuffix(line, "…")
		if r.n > 1 || !usual && !(strings.HasSuffix(before, ">") && strings.HasPrefix(after, "</a>")) &&
			!(strings.HasSuffix(before, "[") && strings.HasPrefix(after, "](#")) {
			n += r.n
		}
	}
	return n >= messageAll
}

// hyphenation reports whether hidden characters are a place for a line break in data, as texts from PDF files have.
func (t *textFile) hyphenation(r hiddenRun) bool {
	return t.data() && r.n == 1 && (r.r == 0xAD || r.r == 0x200B)
}

func (t *textFile) invisible(what string, runs []hiddenRun) Finding {
	n := 0
	var all [][2]int
	for _, r := range runs {
		n += r.n
		all = append(all, [2]int{r.start, r.end})
	}
	at := t.src.Span(runs[0].start, runs[0].end)
	return Finding{At: at, Text: fmt.Sprintf("%s: %d, the first is %U", what, n, runs[0].r), Delete: all}
}

// hiddenRuns returns the runs of invisible characters and bidirectional controls that ordinary writing does not need.
func hiddenRuns(text string) (unseen, turned []hiddenRun) {
	for i, r := range text {
		if r < 0xAD || r >= 0x3165 && r < 0xFB00 {
			continue
		}
		runs := &unseen
		if source.Bidirectional(r) {
			runs = &turned
		} else if !spells(r) {
			continue
		}
		if source.Belongs(text, i, r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		if n := len(*runs); n > 0 && (*runs)[n-1].end == i {
			(*runs)[n-1].end, (*runs)[n-1].n = end, (*runs)[n-1].n+1
			continue
		}
		*runs = append(*runs, hiddenRun{i, end, 1, r})
	}
	return unseen, turned
}

const farAway = 150

// pushedAway returns the position of text that many spaces push out of view. It ignores indentation and padded tables.
func pushedAway(text string) (start, end int, ok bool) {
	gap := strings.Repeat(" ", farAway)
	if !strings.Contains(text, gap) {
		return 0, 0, false
	}
	for line := range strings.Lines(text) {
		end += len(line)
		before, after, _ := strings.Cut(line, gap)
		rest := strings.TrimSpace(after)
		if strings.TrimSpace(before) != "" && strings.Count(rest, " ") >= 2 && !strings.Contains(rest, "|") {
			return end - len(strings.TrimLeft(after, " \t")), end, true
		}
	}
	return 0, 0, false
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// Turned reports bidirectional controls outside right-to-left text.
func Turned(s *Skill, report func(Finding)) {
	for _, t := range s.texts() {
		moves := func(r hiddenRun) bool { return r.r != 0x200E && r.r != 0x200F }
		if runs := t.turned; !constant(t.src, runs) && !(t.script && t.data()) && slices.ContainsFunc(runs, moves) {
			f := t.invisible("bidirectional control characters", runs)
			f.Delete = nil // without them, the text has another order
			report(f)
		}
	}
}

// Stray reports hidden characters that spell no message if they are in a word or in the frontmatter.
func Stray(s *Skill, report func(Finding)) {
	for _, t := range s.texts() {
		stray := func(r hiddenRun) bool {
			return !t.hyphenation(r) && (t.insideWord(r) || t.src == s.Page && r.start < s.Body)
		}
		if runs := t.unseen; !t.message() && !constant(t.src, runs) && slices.ContainsFunc(runs, stray) {
			report(t.invisible("hidden characters", runs))
		}
	}
}

func (t *textFile) insideWord(r hiddenRun) bool {
	before, _ := utf8.DecodeLastRuneInString(t.src.Text[:r.start])
	after, _ := utf8.DecodeRuneInString(t.src.Text[r.end:])
	return unicode.IsLetter(before) && unicode.IsLetter(after) && (t.script || !inCode(t.src, t.src.LineAt(r.start)))
}

// constant reports whether each run is a string literal or part of a pattern that searches for such characters.
func constant(src *source.File, runs []hiddenRun) bool {
	return !slices.ContainsFunc(runs, func(r hiddenRun) bool {
		before, after := src.Text[max(0, r.start-100):r.start], src.Text[r.end:min(len(src.Text), r.end+100)]
		from, to := strings.LastIndexByte(before, '['), strings.IndexByte(after, ']')
		if from >= 0 && to >= 0 && !expr("plainLetter").MatchString(before[from:]+after[:to]) {
			return false // in a character class
		}
		return before == "" || after == "" || !strings.Contains("\"'`[^-/", before[len(before)-1:]) ||
			!strings.Contains("\"'`]-?+/", after[:1])
	})
}
