package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var cutOff = &Rule{
	ID:       "SG213",
	Title:    "description is cut off",
	Why:      "a tool shortened it, and what it lost are usually the triggers and boundaries at the end",
	Advice:   "write the rest, or end the sentence",
	See:      specURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file or the user asks to..."),
	Good:     front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		d, ok := s.Front.Scalar("description")
		d = strings.TrimSpace(d)
		if !ok || d == "" {
			return
		}
		tail := d[max(0, len(d)-60):]
		if i := strings.IndexAny(tail, " \n"); i >= 0 && len(d) > 60 {
			tail = tail[i+1:]
		}
		m := cutInside.get().FindStringSubmatchIndex(d)
		switch {
		case m != nil:
			report(Problem{At: s.InDescription(d[m[2]:m[3]]), Text: fmt.Sprintf("a sentence breaks off in %q", d[m[2]:m[3]])})
		case strings.HasSuffix(d, "...") || strings.HasSuffix(d, "…"):
			report(Problem{At: s.InDescription(lastWords(d, 2)), Text: fmt.Sprintf("ends in %q", tail)})
		case dangling(d):
			report(Problem{At: s.InDescription(lastWords(d, 2)), Text: fmt.Sprintf("ends in the middle of a clause: %q", tail)})
		case fragment(s, d):
			report(Problem{At: s.InDescription(lastWords(d, 2)), Text: fmt.Sprintf("is cut after %d characters: %q", utf8.RuneCountInString(d), tail)})
		}
	},
}

// cutInside finds a sentence that was shortened before the next was put behind it.
var cutInside = lazy(`([A-Za-z-]+\.\.\.)\s+(Use |Trigger|Activate|Do NOT|Part of)`)

// cutLengths are the lengths, in characters, that tools cut texts to. Those who
// mark the place take three characters more.
var cutLengths = []int{197, 200, 247, 250, 255, 256, 300, 497, 498, 499, 500, 512, 1000, 1023, 1024}

// fragment reports whether a text of one of those lengths stops inside a word,
// brackets or quotation marks. What it stops in is not a word where neither the rest
// of the text nor the body has it.
func fragment(s *Skill, d string) bool {
	end, _ := utf8.DecodeLastRuneInString(d)
	if !slices.Contains(cutLengths, utf8.RuneCountInString(d)) || !unicode.IsLetter(end) && end != '-' {
		return false
	}
	if strings.Count(d, "(") > strings.Count(d, ")") || strings.Count(d, `"`)%2 == 1 || strings.Count(d, "`")%2 == 1 {
		return true
	}
	at := strings.LastIndexFunc(d, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) + 1
	last := strings.ToLower(d[at:])
	return last != "" && !hasWord(strings.ToLower(d[:at]), last) && !hasWord(strings.ToLower(s.BodyText()), last)
}

// hasWord reports whether word stands in text between other characters than letters.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(word)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
	}
}

// dangling reports whether a text ends in a word or mark that something must follow.
func dangling(d string) bool {
	if strings.HasSuffix(d, ",") || strings.HasSuffix(d, " (") || strings.Count(d, "(") > strings.Count(d, ")")+1 {
		return true
	}
	words := strings.Fields(d)
	switch last := strings.ToLower(words[len(words)-1]); last {
	case "and", "or", "the", "a", "an", "of", "to", "for", "with", "when", "및", "또는", "그리고":
		return len(words) > 4
	}
	return false
}

func lastWords(s string, n int) string {
	words := strings.Fields(s)
	return strings.Join(words[max(0, len(words)-n):], " ")
}
