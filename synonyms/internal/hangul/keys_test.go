package hangul

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
		{"final of two letters whose second begins the next syllable", "rkqtl", "갑시"},
		{"rare final of two letters", "gkfxek", "핥다"},
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

// The result consists of whole syllables, at most one for two keys.
func FuzzFromKeys(f *testing.F) {
	for _, s := range []string{"dprtpf", "ghldmlfhr", "Qkffl", "zzz", "kd", "gkfxek", "rk\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := FromKeys(s)
		if ok && (strings.ContainsFunc(got, func(r rune) bool { return !script.Syllable(r) }) || 2*utf8.RuneCountInString(got) > len(s)) {
			t.Errorf("FromKeys(%q) = %q", s, got)
		}
	})
}
