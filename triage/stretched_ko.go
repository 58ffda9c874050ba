package triage

import (
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// koStretched returns the class of an entry whose last vowel is drawn out:
// 네에에, 고마워어어, 안녕하세요오.
func koStretched(s string) vocab.Class {
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
	if e := classOf(head); e&vocab.Carries != 0 {
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
	if !script.Syllable(r) || (r-script.FirstSyllable)%28 != 0 {
		return 0
	}
	// of ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅘ ㅙ ㅚ ㅛ ㅜ ㅝ ㅞ ㅟ ㅠ ㅡ ㅢ ㅣ
	const tails = "아애아애어에어에오아애이오우어에이우으이이"
	i := int(r-script.FirstSyllable) / 28 % 21 * len("아")
	tail, _ := utf8.DecodeRuneInString(tails[i:])
	return tail
}
