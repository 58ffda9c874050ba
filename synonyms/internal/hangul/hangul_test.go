package hangul

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestString(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"syllables", "회의록 값 뛰다", "회의록 값 뛰다"},
		{"conjoining letters", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"},
		{"letters typed one by one", "ㅎㅏㄴㄱㅡㄹ", "한글"},
		{"letter that begins the next syllable", "ㄷㅔㅇㅣㅌㅓ", "데이터"},
		{"lone letters", "ㅋㅋㅋ", "ㅋㅋㅋ"},
		{"ASCII", "정부24", "정부24"},
		{"other scripts are left out", "한漢글é", "한글"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, String(Codes(nil, tt.text)), tt.name)
	}
}

func TestForeign(t *testing.T) {
	for _, s := range []string{"스", "커", "테", "릿", "빠", "디"} {
		assert.True(t, Foreign(Append(nil, s), 0), "Foreign(%s) = false, want true", s)
	}
	for _, s := range []string{"분", "석", "극", "세", "의", "은", "어"} {
		assert.False(t, Foreign(Append(nil, s), 0), "Foreign(%s) = true, want false", s)
	}
}

func FuzzAppend(f *testing.F) {
	f.Add("ㄷㅔㅇㅣㅌㅓ 한글 abc")
	f.Fuzz(func(t *testing.T, text string) {
		at := int32(0)
		for _, l := range Append(nil, text) {
			if l.Start < at || l.Start >= l.End || int(l.End) > len(text) || l.Code == 0 {
				t.Fatalf("Append(%q) has %+v after offset %d", text, l, at)
			}
			at = l.Start
		}
	})
}

func TestStems(t *testing.T) {
	for _, tt := range []struct {
		text         string
		drops, light bool // results of DropsL for the first letter and of Light for the text
	}{
		{"는", true, false}, {"세요", true, false}, {"면", false, false}, {"려고", false, false}, {"고", false, false},
		{"하자", false, true}, {"해요", false, true}, {"드려", false, true}, {"호출", false, false}, {"도와", false, false},
		{"ㅎ", false, false},
	} {
		l := Append(nil, tt.text)
		assert.Equal(t, tt.drops, DropsL(l[0].Code), tt.text)
		assert.Equal(t, tt.light, Light(l), tt.text)
	}
	for _, l := range Append(nil, "안알압")[2:] {
		if IsFinal(l.Code) && !DropsL(l.Code) {
			t.Errorf("DropsL is false for the final %d", l.Code)
		}
	}
}
