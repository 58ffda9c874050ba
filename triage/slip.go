package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/jamo"
	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// A person who forgot to switch the two-set keyboard (두벌식) types "sp" for 네 and
// "ㅐㅏ" for "ok".

// maxSlip is the length of the longest text that is tried as typed with the
// wrong keyboard; a longer one would have been noticed.
const maxSlip = 60

// slipped is conversation for a text typed with the wrong keyboard.
func slipped(text string) (Kind, bool) {
	if strings.IndexFunc(text, korean) >= 0 {
		if strings.IndexFunc(text, isVowel) < 0 {
			return Search, false
		}
		if k, ok := conversation(jamo.Compose([]rune(text))); ok {
			return k, true
		}
		return conversation(jamo.Latin(text))
	}
	if slipChat(text) {
		return Ack, true
	}
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && isWord(r) }) >= 0 { // neither keyboard's
		return Search, false
	}
	h := jamo.Hangul(text)
	if strings.IndexFunc(h, func(r rune) bool { return script.Letter(r) || isDigit(r) }) >= 0 ||
		utf8.RuneCountInString(h) < 2 {
		return Search, false
	}
	return conversation(h)
}

// slipChat reports a chat abbreviation typed without switching the keyboard:
// "dz" for ㅇㅋ. Only the commonest: most pairs of letters mean something else.
func slipChat(text string) bool {
	return vocab.Slip.Has(strings.TrimRight(strings.ToLower(text), " .!~?"))
}

func isVowel(r rune) bool { return 'ㅏ' <= r && r <= 'ㅣ' }

// jamoClass returns the class of a run of Hangul letters that stand alone: a
// chat abbreviation such as ㅇㅋ, a laugh or a cry (which also ends a clause),
// or 0 when it has vowels and so is part of a word.
func jamoClass(s string) vocab.Class {
	if strings.Trim(s, "ㅋㅎㅠㅜㅡㅍㅊㅌ") == "" {
		if strings.Trim(s, "ㅊ") == "" { // ㅊㅊ: congratulations
			return vocab.Answer | vocab.Noun
		}
		return vocab.Answer | vocab.Turn | vocab.Noun
	}
	for _, r := range s {
		if isVowel(r) && r != 'ㅠ' && r != 'ㅜ' && r != 'ㅡ' {
			return 0
		}
	}
	switch {
	case strings.HasPrefix(s, "ㅎㅇ"), strings.HasPrefix(s, "ㅂㅂ"), strings.HasPrefix(s, "ㅂㅇ"),
		strings.HasPrefix(s, "ㅃ"), strings.HasPrefix(s, "ㅇㄴ"), strings.HasPrefix(s, "ㅂㄱ"),
		strings.HasPrefix(s, "ㅌㄱ"), strings.HasPrefix(s, "ㄱㅁㄴ"):
		return vocab.Greet | vocab.Lead | vocab.Noun
	case strings.HasPrefix(s, "ㄱㅅ"), strings.HasPrefix(s, "ㄳ"), strings.HasPrefix(s, "ㅅㄱ"),
		strings.HasPrefix(s, "ㅆㄱ"), strings.HasPrefix(s, "ㄸㅋ"):
		return vocab.Thank | vocab.Lead | vocab.Noun
	}
	return vocab.Answer | vocab.Lead | vocab.Noun
}
