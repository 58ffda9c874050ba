package jamo

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
)

func TestFromKeys(t *testing.T) {
	tests := []struct{ name, keys, want string }{
		{"finals", "dprtpf", "엑셀"},
		{"final that begins the next syllable", "epdlxj", "데이터"},
		{"vowel of two keys", "ghldmlfhr", "회의록"},
		{"final of two keys", "djqtdj", "없어"},
		{"shifted keys", "Qkffl", "빨리"},
		{"lone consonant", "zzz", ""},
		{"vowel first", "kd", ""},
		{"digit", "dprtpf2", ""},
		{"too long", strings.Repeat("rk", 40), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := FromKeys(tt.keys); got != tt.want || ok != (tt.want != "") {
				t.Errorf("FromKeys(%q) = %q, %v, want %q", tt.keys, got, ok, tt.want)
			}
		})
	}
}

func TestCompose(t *testing.T) {
	tests := []struct{ name, letters, want string }{
		{"syllables", "ㅎㅏㄴㄱㅡㄹ", "한글"},
		{"consonant that begins the next syllable", "ㄷㅔㅇㅣㅌㅓ", "데이터"},
		{"vowel of two letters", "ㅎㅗㅣㅇㅡㅣ", "회의"},
		{"final of two letters", "ㄱㅏㅂㅅ", "값"},
		{"final of two letters whose second begins the next syllable", "ㄱㅏㅂㅅㅣ", "갑시"},
		{"rare final of two letters", "ㅎㅏㄹㅌㄷㅏ", "핥다"},
		{"lone letters", "ㅋㅋ ㅠㅠ", "ㅋㅋ ㅠㅠ"},
		{"other runes stay", "ㅇㅗㅋㅔ, ok 좋아", "오케, ok 좋아"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Compose([]rune(tt.letters)); got != tt.want {
				t.Errorf("Compose(%s) = %s, want %s", tt.letters, got, tt.want)
			}
		})
	}
}

func TestOtherKeyboard(t *testing.T) {
	tests := []struct{ name, latin, hangul string }{
		{"word", "dprtpf", "엑셀"},
		{"letters with shift stay apart", "ehlwl", "되지"},
		{"compound letters", "rkqtdjqtdl", "값없이"},
		{"rare final", "gkfxek", "핥다"},
		{"lone letters", "ok", "ㅐㅏ"},
		{"marks and digits", "dprtpf 2!", "엑셀 2!"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Hangul(tt.latin); got != tt.hangul {
				t.Errorf("Hangul(%s) = %s, want %s", tt.latin, got, tt.hangul)
			}
			if got := Latin(tt.hangul); got != tt.latin {
				t.Errorf("Latin(%s) = %s, want %s", tt.hangul, got, tt.latin)
			}
		})
	}
}

// A letter stands where the Unicode standard puts it: every syllable is composed of
// what Latin takes it apart into, but for the shift of doubled consonants.
func TestEverySyllableIsComposed(t *testing.T) {
	for r := rune(script.FirstSyllable); script.Syllable(r); r++ {
		n := r - script.FirstSyllable
		letters := []rune{letterAt(initialOf[:], int8(n/finals/vowels)), 'ㅏ' + n/finals%vowels}
		if f := n % finals; f > 0 {
			letters = append(letters, letterAt(finalOf[:], int8(f)))
		}
		if got := Compose(letters); got != string(r) {
			t.Fatalf("Compose(%c) = %s, want %c", letters, got, r)
		}
	}
}

// FuzzFromKeys: what is decoded has as many keys as were typed, and Hangul of the
// same keys is the same text.
func FuzzFromKeys(f *testing.F) {
	for _, s := range []string{"dprtpf", "ghldmlfhr", "Qkffl", "zzz", "kd", "gkfxek", "rk\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := FromKeys(s)
		if !ok {
			return
		}
		if again := Hangul(s); again != got {
			t.Errorf("FromKeys(%q) = %q, Hangul = %q", s, got, again)
		}
		if keys := Latin(got); !strings.EqualFold(keys, s) || !utf8.ValidString(got) {
			t.Errorf("Latin(FromKeys(%q)) = %q of %q", s, keys, got)
		}
	})
}
