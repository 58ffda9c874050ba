package triage

import (
	"strings"
	"unicode/utf8"
)

// koForm returns the class of a run of Hangul syllables that is put together
// from two short lists, 0 when it is none: 날씨가 너무 좋네요, 원하던 거예요.
func koForm(w string) class {
	if rest, ok := strings.CutPrefix(w, "날씨"); ok {
		return koWeather(rest)
	}
	for _, wish := range [...]string{"원하던", "원하는", "원했던", "원한", "바라던", "바랐던", "찾던", "기대하던", "기대했던", "기대한", "필요했던", "필요한",
		"생각하던", "생각했던", "생각한", "말하던", "말했던"} {
		if rest, ok := strings.CutPrefix(w, wish); ok {
			switch rest {
			case "거", "것", "게", "건", "걸", "거랑", "것과":
				return fill | noun
			case "거야", "거예요", "거에요", "거네", "거네요", "거지", "거였어", "거였어요", "것입니다", "겁니다", "거다", "게이거야", "게이거예요", "게이거지":
				return answer
			}
		}
	}
	return 0
}

// koWeather returns the class of what is remarked about the weather. A form
// that may ask, such as 좋아 or 추워, is no remark: the forecast may be wanted.
func koWeather(w string) class {
	for _, particle := range [...]string{"가", "는", "도"} {
		if rest, ok := strings.CutPrefix(w, particle); ok {
			w = rest
			break
		}
	}
	for _, degree := range [...]string{"너무", "진짜", "정말", "참", "엄청", "많이", "꽤", "완전"} {
		if rest, ok := strings.CutPrefix(w, degree); ok {
			w = rest
			break
		}
	}
	switch w {
	case "좋다", "좋네", "좋네요", "좋군요", "좋습니다", "춥다", "춥네", "춥네요", "춥습니다", "덥다", "덥네", "덥네요", "덥습니다", "흐리다", "흐리네",
		"흐리네요", "맑다", "맑네", "맑네요", "구리다", "구리네", "쌀쌀하다", "쌀쌀하네", "쌀쌀하네요", "시원하다", "시원하네", "시원하네요", "따뜻하다",
		"따뜻하네", "따뜻하네요", "습하다", "습하네", "최고다", "최고네", "별로다", "별로네", "미쳤다", "죽인다", "풀렸네", "풀렸네요":
		return greet
	}
	return 0
}

// koStretched returns the class of an entry whose last vowel is drawn out:
// 네에에, 고마워어어, 안녕하세요오.
func koStretched(s string) class {
	head := s
	for {
		r, n := utf8.DecodeLastRuneInString(head)
		v := bareVowel(r)
		if v == 0 || n == len(head) {
			break
		}
		before, _ := utf8.DecodeLastRuneInString(head[:len(head)-n])
		if tailVowel(before) != v {
			break
		}
		head = head[:len(head)-n]
	}
	if len(head) == len(s) {
		return 0
	}
	if e := koWord(head); e&carries != 0 {
		return e
	}
	return 0
}

// bareVowel returns the vowel of a syllable that is one vowel and nothing else,
// 0 for other runes.
func bareVowel(r rune) rune {
	switch r {
	case '아', '애', '어', '에', '오', '우', '으', '이':
		return r
	}
	return 0
}

// tailVowel returns, as a bare syllable, the vowel on which an open syllable
// ends: 워 ends on 어. It is 0 for a syllable with a final consonant.
func tailVowel(r rune) rune {
	if !isSyllable(r) || (r-0xAC00)%28 != 0 {
		return 0
	}
	const tails = "아애아애어에어에오아애이오우어에이우으이이" // of ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅘ ㅙ ㅚ ㅛ ㅜ ㅝ ㅞ ㅟ ㅠ ㅡ ㅢ ㅣ
	i := int(r-0xAC00) / 28 % 21 * len("아")
	tail, _ := utf8.DecodeRuneInString(tails[i:])
	return tail
}
