package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/gate/lint/source"
)

func (s *Skill) forCopying() bool {
	return slices.ContainsFunc(strings.Split(path.Dir(s.ID), "/"), func(folder string) bool {
		return folder == "template" || folder == "templates" || folder == "assets"
	})
}

var sg213 = &Rule{ID: "SG213", Severity: Warning, Check: func(s *Skill, report Report) {
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
		report.at(s.InDescription(d[m[2]:m[3]]), "a sentence is cut off at %q", d[m[2]:m[3]])
	case endsInComment(s.Front):
		report(Problem{At: s.InDescription(lastTwoWords(d)), Text: fmt.Sprintf("a YAML comment begins after %q", tail),
			Hint: "put the description in quotation marks, because # after a space begins a comment"})
	case strings.HasSuffix(d, "...") || strings.HasSuffix(d, "…"):
		report.at(s.InDescription(lastTwoWords(d)), "the description ends in %q", tail)
	case dangling(d):
		report.at(s.InDescription(lastTwoWords(d)), "the description ends in the middle of a clause: %q", tail)
	case fragment(s, d):
		report.at(s.InDescription(lastTwoWords(d)), "the description is cut after %d characters: %q",
			utf8.RuneCountInString(d), tail)
	}
}}

func endsInComment(f *Front) bool {
	k, _ := f.Key("description")
	return k.Node != nil && k.Node.Style == 0 && strings.HasPrefix(k.Node.LineComment, "#") &&
		!strings.HasPrefix(k.Node.LineComment, "# ")
}

var cutInside = lazy(`([A-Za-z-]+\.\.\.)\s+(Use |Trigger|Activate|Do NOT|Part of)`)

// cutLengths lists the lengths, in characters, to which tools cut texts. Some tools then append three dots.
var cutLengths = []int{197, 200, 247, 250, 255, 256, 300, 497, 498, 499, 500, 512, 1000, 1023, 1024}

func fragment(s *Skill, d string) bool {
	end, _ := utf8.DecodeLastRuneInString(d)
	if !slices.Contains(cutLengths, utf8.RuneCountInString(d)) || !unicode.IsLetter(end) && end != '-' {
		return false
	}
	if strings.Count(d, "(") > strings.Count(d, ")") || strings.Count(d, `"`)%2 == 1 || strings.Count(d, "`")%2 == 1 {
		return true
	}
	if unicode.In(end, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return false // these scripts have no spaces between words
	}
	at := strings.LastIndexFunc(d, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) + 1
	last := strings.ToLower(d[at:])
	return last != "" && !hasWord(strings.ToLower(d[:at]), last) && !hasWord(strings.ToLower(s.BodyText()), last)
}

func hasWord(text, word string) bool {
	for at := range source.Occurrences(text, word) {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !unicode.IsLetter(before) && !unicode.IsLetter(after) {
			return true
		}
	}
	return false
}

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

func lastTwoWords(s string) string {
	words := strings.Fields(s)
	return strings.Join(words[max(0, len(words)-2):], " ")
}
