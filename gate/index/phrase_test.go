package index

import (
	"testing"

	"github.com/skillgate/skillgate/synonyms"
)

func TestWholeTerm(t *testing.T) {
	a := NewAnalyzer(synonyms.Default())
	whole := func(text string) (string, int) { return WholeTerm(text, PhraseTokens(a.Tokens(text))) }
	chat, _ := whole("챗 Message 정리")
	tests := []struct {
		name, text string
		same       bool // has the same term as "챗 Message 정리"
		dropped    int
	}{
		{"case, space and punctuation", "  챗\tmessage “정리”?", true, 1},
		{"another word", "챗 메시지 정리", false, 1},
		{"another order", "message 챗 정리", false, 1},
		{"two syllables", "두 번 설계", false, 2},
		{"every word is a term", "채팅 메시지", false, 0},
		{"dropped words of another language", "who is on call", false, 0},
		{"no word is a term", "챗 맥", false, 0},
		{"a sentence", "챗 메시지 하나 둘 셋 a b c d e f g h i j k l m n", false, 0},
		{"nothing", "", false, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term, dropped := whole(tt.text)
			if dropped != tt.dropped || term == chat != tt.same || term == "" != (tt.dropped == 0) {
				t.Errorf("WholeTerm(%q) = %q, %d, want the term of “챗 Message 정리” %v, %d dropped", tt.text, term, dropped,
					tt.same, tt.dropped)
			}
		})
	}
}
