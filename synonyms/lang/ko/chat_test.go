package ko

import (
	"slices"
	"testing"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func TestPlayful(t *testing.T) {
	for word, want := range map[string][2]string{
		"했어욤": {"했어요"}, "고마웡": {"", "고마워"}, "네넹": {"", "네네"}, "해용": {"해요", "해요"}, "용": {}, "배포": {}, "ok": {}, "": {},
	} {
		if got := playful(word); got != want {
			t.Errorf("playful(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestStretched(t *testing.T) {
	for word, want := range map[string]string{
		"네에에": "네", "고마워어어": "고마워", "안녕하세요오": "안녕하세요", "네": "", "좋아": "", "배포": "", "아아": "아", "": "",
	} {
		if got := stretched(word); got != want {
			t.Errorf("stretched(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestLetters(t *testing.T) {
	const answer = vocab.Answer | vocab.Noun
	for run, want := range map[string]vocab.Class{
		"ㅇㅋ": answer | vocab.Lead, "ㅋㅋㅋ": answer | vocab.Turn, "ㅠㅠ": answer | vocab.Turn, "ㅊㅊ": answer,
		"ㅎㅇ": vocab.Greet | vocab.Lead | vocab.Noun, "ㄱㅅㅎ": vocab.Thank | vocab.Lead | vocab.Noun, "ㅇㅏ": 0, "ㅏ": 0,
	} {
		if got := letters(run); got != want {
			t.Errorf("letters(%q) = %b, want %b", run, got, want)
		}
	}
}

func TestRekeyed(t *testing.T) {
	for text, want := range map[string][]string{
		"dkssud": {"안녕"}, "sp": nil, "ㅐㅏ": {"ㅐㅏ", "ok"}, "ㅇㅋ": nil, "배포": nil, "é": nil, "s": nil, "dk1": nil,
	} {
		if got := rekeyed(text); !slices.Equal(got, want) {
			t.Errorf("rekeyed(%q) = %q, want %q", text, got, want)
		}
	}
}
