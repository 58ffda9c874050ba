package terms

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKey(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"words are stemmed", "Looking over my diffs", "look over my diff"},
		{"nothing is left out", "the state of the art", "the state of the art"},
		{"apostrophes are dropped", "don't panic", "dont panic"},
		{"an apostrophe at an end separates", "users' guide", "user guid"},
		{"marks of languages stay", "C++ and C# and f#", "c++ and c# and f#"},
		{"digits keep a word as it is", "utf8 boxes 2nd", "utf8 box 2nd"},
		{"everything else separates", "a/b-c_d.e", "a b c d e"},
		{"other scripts are no words", "엑셀 excel 시트", "excel"},
		{"nothing", " …!? ", ""},
	} {
		got := PhraseKey(tt.text)
		assert.Equal(t, tt.want, got, "%s: PhraseKey(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
	}
}

func TestNextWord(t *testing.T) {
	const text = "Spin UP a C++ box, please"
	var stems, places []string
	for i := 0; ; {
		stem, start, end, ok := NextWord(text, i)
		if !ok {
			break
		}
		stems, places = append(stems, stem), append(places, text[start:end])
		i = end
	}
	assert.Equal(t, "spin|up|a|c++|box|pleas", strings.Join(stems, "|"))
	assert.Equal(t, "Spin|UP|a|C++|box|please", strings.Join(places, "|"))
	if _, start, end, ok := NextWord(text, len(text)); ok || start != len(text) || end != len(text) {
		t.Errorf("Next at the end = %d, %d, %v", start, end, ok)
	}
}
