package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/lang/script"
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
	if koJudges(w) {
		return answer
	}
	return 0
}

// koJudges reports a judgement: an adjective of praise or refusal with an ending
// that states, such as 괜찮아 보여요 or 완벽한 것 같습니다.
func koJudges(w string) bool {
	for _, a := range [...]struct{ stem, before, joined string }{
		{"좋", "좋은", "좋아"}, {"괜찮", "괜찮은", "괜찮아"}, {"맞", "맞는", "맞아"}, {"낫", "나은", "나아"}, {"별로", "별론", "별로"}, {"아니", "아닌", "아니"},
		{"싫", "싫은", "싫어"}, {"틀리", "틀린", "틀려"}, {"멋지", "멋진", "멋져"}, {"예쁘", "예쁜", "예뻐"}, {"이쁘", "이쁜", "이뻐"},
		{"마음에들", "마음에드는", "마음에들어"}, {"맘에들", "맘에드는", "맘에들어"}, {"만족스럽", "만족스러운", "만족스러워"}, {"나쁘지않", "나쁘지않은", "나쁘지않아"},
	} {
		if rest, ok := strings.CutPrefix(w, a.before); ok && koStates(rest) {
			return true
		}
		if rest, ok := strings.CutPrefix(w, a.joined); ok && koSeems(rest) {
			return true
		}
		if rest, ok := strings.CutPrefix(w, a.stem); ok && koExclaims(rest) {
			return true
		}
	}
	for _, noun := range [...]string{"완벽", "훌륭", "깔끔", "대단", "적절", "적당", "충분", "정확", "확실", "무난", "만족", "근사", "탁월", "최고", "대박", "짱", "정답", "천재"} {
		rest, ok := strings.CutPrefix(w, noun)
		if !ok {
			continue
		}
		for _, verb := range [...]string{"한", "인"} {
			if end, ok := strings.CutPrefix(rest, verb); ok && koStates(end) {
				return true
			}
		}
		if end, ok := strings.CutPrefix(rest, "해"); ok && koSeems(end) {
			return true
		}
		if end, ok := strings.CutPrefix(rest, "하"); ok && koExclaims(end) {
			return true
		}
		switch rest {
		case "얌", "임", "이얌", "이에용", "이지", "이죠", "이구나", "이군요", "이었어", "이었어요", "였어", "였어요", "였습니다":
			return true
		}
	}
	return false
}

// koStates reports the endings after the form that stands before a noun: 좋은 데요,
// 좋은 것 같습니다.
func koStates(w string) bool {
	if rest, ok := strings.CutPrefix(w, "것"); ok {
		w = "거" + rest
	}
	switch w {
	case "데", "데요", "데용", "거같아", "거같아요", "거같습니다", "거같네", "거같네요", "거같은데", "거같은데요", "거같다", "거같음", "거같애", "거같애요", "듯", "듯해", "듯해요",
		"듯합니다", "듯하네요", "듯요", "듯싶어", "듯싶네요", "편이야", "편이네", "편이네요", "걸", "걸요", "거네", "거네요":
		return true
	}
	return false
}

// koSeems reports the endings after 좋아, 완벽해: it looks good.
func koSeems(w string) bool {
	switch w {
	case "보여", "보여요", "보이네", "보이네요", "보인다", "보입니다", "보이는데", "보이는데요", "보이긴해", "졌어", "졌어요", "졌네", "졌네요", "졌다", "졌습니다", "서":
		return true
	}
	return false
}

// koExclaims reports the endings on a bare adjective stem.
func koExclaims(w string) bool {
	switch w {
	case "네", "네요", "네용", "다", "지", "죠", "지요", "군", "군요", "구나", "구만", "습니다", "습니당", "슴다", "겠다", "겠네", "겠네요", "겠어", "겠어요", "겠습니다", "겠는데",
		"겠는데요", "긴해", "긴해요", "긴하네", "긴한데", "더라", "더라고요", "음":
		return true
	}
	return false
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
	if !script.Syllable(r) || (r-script.FirstSyllable)%28 != 0 {
		return 0
	}
	const tails = "아애아애어에어에오아애이오우어에이우으이이" // of ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅘ ㅙ ㅚ ㅛ ㅜ ㅝ ㅞ ㅟ ㅠ ㅡ ㅢ ㅣ
	i := int(r-script.FirstSyllable) / 28 % 21 * len("아")
	tail, _ := utf8.DecodeRuneInString(tails[i:])
	return tail
}
