package triage

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
)

// Text is clean and trimmed, its language is known, a Search has a word to search for, steps are parts of Text in
// order and only of a Search, and names found are in the text.
func FuzzClassify(f *testing.F) {
	for _, s := range []string{
		"", "네 좋아요, 이어서 번역해줘", "ok. 1. plan 2. build", "/x y", "a → b → c", "<pasted_content id=\"1\">x</pasted_content id=\"1\"> 요약",
		"\xff\x00hi", "ㅇㅋ\u200b", "ㅇニ\u200b", "use the `pdf` skill, don't use docx", "git log | grep x && ls", "src/a.go 3번째 줄 오타 고쳐", "\u1100\u1161\u11a8",
		"'a' \"b\" “c”", "쓰지 말고 — not this", "thanks!! 감사", "<system-reminder>x</system-reminder>y", "ㅗㅑ", "rkatk",
		"그리고 나서 ,,, 고, 고 나서", "그 다음", "한 다음", "그다음", "and then", "to", "after that that", "pdf" + strings.Repeat("\xb9", 400),
	} {
		f.Add(s)
	}
	codes := []string{"mixed", "other"}
	for _, l := range lang.All {
		codes = append(codes, l.Code)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		p := Classify(raw)
		if !utf8.ValidString(p.Text) || strings.ContainsAny(p.Text, "\x00\r\x7f") || strings.TrimSpace(p.Text) != p.Text {
			t.Errorf("Classify(%q).Text = %q, want valid, clean and trimmed", raw, p.Text)
		}
		if p.Kind == Search && !wordy(p.Text) {
			t.Errorf("Classify(%q) = search %q, want a text with a word", raw, p.Text)
		}
		if p.Steps != nil && (p.Kind != Search || len(p.Steps) < 2 || len(p.Steps) > maxSteps) {
			t.Errorf("Classify(%q) = %s with %d steps, want search with 2 to %d", raw, p.Kind, len(p.Steps), maxSteps)
		}
		rest := p.Text
		for _, s := range p.Steps {
			i := strings.Index(rest, s)
			if s == "" || i < 0 {
				t.Fatalf("Classify(%q).Steps = %q, want parts of %q in order", raw, p.Steps, p.Text)
			}
			rest = rest[i+len(s):]
		}
		if !slices.Contains(codes, p.Lang) {
			t.Errorf("Classify(%q).Lang = %q, want one of %q", raw, p.Lang, codes)
		}
		Mention(raw)
		for _, name := range Explicit(raw, func(s string) bool { return len(s) == 3 || s == "pdf" }) {
			if !strings.Contains(strings.ToLower(raw), strings.ToLower(name)) {
				t.Errorf("Explicit(%q) found %q, which is not there", raw, name)
			}
		}
	})
}
