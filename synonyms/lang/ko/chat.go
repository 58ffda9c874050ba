package ko

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/jamo"
	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// playful returns what may be meant by a word with a playful ending: 고마웡, 했어욤.
func playful(word string) (readings [2]string) {
	r, n := utf8.DecodeLastRuneInString(word)
	head := word[:len(word)-n]
	if head == "" || !script.Syllable(r) {
		return readings
	}
	if usual := vocab.Playful.Text(word[len(head):]); usual != "" {
		readings[0] = head + usual
	}
	open := r - (r-script.FirstSyllable)%28 // the syllable without its final
	switch (r - script.FirstSyllable) % 28 {
	case 17, 20, 21, 24, 27: // ㅂ ㅆ ㅇ ㅋ ㅎ
		if vocab.PlayfulOpen.Has(string(open)) {
			readings[1] = head + string(open)
		}
	}
	return readings
}

// stretched returns a word without the vowels that draw out its last one (네에에, 고마워어어,
// 안녕하세요오), "" where there are none.
func stretched(word string) string {
	head := word
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
	if len(head) == len(word) {
		return ""
	}
	return head
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

// letters returns the class of a run of letters that stand alone: a chat
// abbreviation such as ㅇㅋ, a laugh or a cry (which also ends a clause), or 0
// where it has vowels and so is part of a word.
func letters(run string) vocab.Class {
	sounds, cheers := true, true
	for _, r := range run {
		sound, ok := vocab.Sounds.Value(string(r))
		if !ok && vowel(r) {
			return 0
		}
		sounds = sounds && ok
		cheers = cheers && ok && vocab.Sound(sound)&vocab.Cheer != 0
	}
	switch {
	case cheers:
		return vocab.Answer | vocab.Noun
	case sounds:
		return vocab.Answer | vocab.Turn | vocab.Noun
	}
	for head := range vocab.Letters.All() {
		if strings.HasPrefix(run, head) {
			class, _ := vocab.Letters.Value(head)
			return vocab.Class(class)
		}
	}
	return vocab.Answer | vocab.Lead | vocab.Noun
}

func vowel(r rune) bool { return 'ㅏ' <= r && r <= 'ㅣ' }

// rekeyed returns what was meant by a text that somebody typed without switching the two-set
// keyboard (두벌식): "dkssud" for 안녕, "ㅐㅏ" for "ok". It is nil for a text that no such slip makes, and
// for one syllable, which says too little.
func rekeyed(text string) []string {
	if strings.ContainsFunc(text, func(r rune) bool { return script.Syllable(r) || script.Letter(r) }) {
		if !strings.ContainsFunc(text, vowel) {
			return nil
		}
		return []string{jamo.Compose([]rune(text)), jamo.Latin(text)}
	}
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && word(r) }) { // neither keyboard's
		return nil
	}
	h := jamo.Hangul(text)
	if strings.ContainsFunc(h, func(r rune) bool { return script.Letter(r) || unicode.IsDigit(r) }) ||
		utf8.RuneCountInString(h) < 2 {
		return nil
	}
	return []string{h}
}
