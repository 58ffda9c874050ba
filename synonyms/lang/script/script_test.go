package script

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

func TestScripts(t *testing.T) {
	tests := []struct {
		name  string
		runes string
		in    func(rune) bool
		want  bool
	}{
		{"first and last syllable", "가힣", Hangul, true},
		{"conjoining letters of a decomposed syllable", "\u1100\u1161\u11a8", Hangul, true},
		{"letters that stand alone", "ㄱㅎㅏㅣ", Hangul, true},
		{"letters of old texts", "ㆍㅿ", Hangul, true},
		{"other scripts are not Hangul", "aé1 ん字я\u10ff\u1200ー。", Hangul, false},
		{"a syllable is not a letter", "가힣", Letter, false},
		{"letters of chat", "ㅇㅋㅠ", Letter, true},
		{"old letters are not typed in chat", "ㆍㅿ", Letter, false},
		{"a letter is not a syllable", "ㅋㅏ\u1100", Syllable, false},
		{"both kana and the long vowel mark", "あんアンー", Kana, true},
		{"Han and Hangul are not kana", "字한、。", Kana, false},
		{"Katakana is not Hiragana", "アー", Hiragana, false},
		{"Hiragana", "ぁあん", Hiragana, true},
		{"Katakana with the long vowel mark", "ァアンヴー", Katakana, true},
		{"Hiragana and the middle dot are not Katakana", "あ・字", Katakana, false},
		{"scripts without spaces", "あア字々", Spaceless, true},
		{"scripts with spaces", "a한я1 、", Spaceless, false},
		{"Han of everyday and rare use", "会議𠮷々", Han, true},
		{"kana, Hangul and punctuation are not Han", "あア한、。a", Han, false},
		{"Latin with marks", "aZéß", Latin, true},
		{"digits and other letters are not Latin", "1я한", Latin, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range tt.runes {
				got := tt.in(r)
				assert.Equal(t, tt.want, got, "%q (%U): got %v, want %v", r, r, got, tt.want)
			}
		})
	}
}

func TestScriptsShareNoLetter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		n := 0
		for _, in := range []func(rune) bool{Hangul, Kana, Han, Latin} {
			if in(r) {
				n++
			}
		}
		assert.LessOrEqual(t, n, 1, "%q (%U) is in %d scripts, want at most 1", r, r, n)
		if (Syllable(r) || Letter(r)) && !Hangul(r) {
			t.Errorf("%q (%U) is a syllable or letter but not Hangul", r, r)
		}
		if Hiragana(r) && !Kana(r) {
			t.Errorf("%q (%U) is Hiragana but not kana", r, r)
		}
	}
}
