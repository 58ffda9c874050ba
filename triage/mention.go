package triage

import (
	"strings"

	"github.com/skillgate/skillgate/lang/script"
)

// Span is a part of a text, in bytes: text[Start:End].
type Span struct{ Start, End int }

const maxQuestion = 200 // length of the longest text that is one question about a thing

// Mention reports whether text only asks about a thing ("what is X?", "how does
// X work", "X가 뭐야?", "왜 그렇게 했어?") instead of asking for work on it.
func Mention(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) > maxQuestion || strings.IndexByte(text, '\n') >= 0 {
		return false
	}
	s := strings.ToLower(strings.TrimRight(text, "?!. ~ㅋㅎㅠㅜ"))
	if i := lastStop(s); i >= 0 {
		s = strings.TrimSpace(s[i:])
	}
	return mentionEn(s) || mentionKo(s)
}

func mentionEn(s string) bool {
	for {
		rest, ok := cutAny(s, "so ", "and ", "ok ", "hey ", "wait ", "just curious ", "curious ", "quick question ", "btw ", "can you explain ",
			"could you explain ", "explain ", "tell me ", "do you know ", "please ", "also ")
		if !ok {
			break
		}
		s = strings.TrimLeft(rest, " ,:-")
	}
	words := strings.Count(s, " ") + 1
	switch {
	case hasAnyPrefix(s, "what is on ", "what's on ", "what is my ", "what's my ", "what is our ", "what's our ", "what's left", "what's next", "what's due"):
		return false
	case hasAnyPrefix(s, "what's the difference", "what is the difference", "difference between", "when should i use ", "when to use ", "should i use ", "should we use ", "how do i use ", "how to use "):
		return true
	case hasAnyPrefix(s, "what is ", "what's ", "whats ", "what are ", "what was ", "what were "):
		return words <= 9 && !strings.Contains(s, " best ") && !strings.Contains(s, " should ")
	case hasAnyPrefix(s, "what does ", "what do "):
		return hasAnySuffix(s, " do", " mean", " mean here", " return", " stand for", " do here") || words <= 7 && !strings.HasPrefix(s,
			"what do we ") && !strings.HasPrefix(s, "what do i ")
	case hasAnyPrefix(s, "how does ", "how do "):
		return strings.HasSuffix(s, " work") || strings.HasSuffix(s, " works") || strings.Contains(s, " work ") && words <= 9
	case hasAnyPrefix(s, "why did ", "why do you", "why is it", "why are you", "who is ", "who wrote ", "who made ", "when did ", "did you ", "have you ", "were you ", "does it ", "is it ", "is this ", "is that "):
		return words <= 12
	}
	return hasAnySuffix(s, " is what", " means what")
}

func mentionKo(s string) bool {
	if strings.IndexFunc(s, script.Syllable) < 0 {
		return false
	}
	for _, tail := range [...]string{
		"뭐야", "뭐예요", "뭐에요", "뭔가요", "뭐죠", "뭐지", "뭘까", "뭐냐", "뭐임", "뭐니", "뭔데", "뭡니까", "뭐였지", "뭐더라", "무엇인가요",
		"무엇이야", "무엇인지 알려줘", "뭔지 알려줘", "뭔지 설명해줘",
		"무슨 뜻", "무슨 뜻이야", "무슨 뜻이에요", "무슨 뜻인가요", "무슨 의미야", "무슨 의미인가요", "무슨 말이야", "무슨 소리야", "무슨 차이야",
		"뭐하는 거야", "뭐 하는 거야", "뭐하는거야", "뭐하는 건데", "뭐하는 거지", "뭐 하는 건데", "뭐하는 스킬이야", "뭐 하는 스킬이야",
		"뭐 하는 파일이야", "뭐 하는 함수야",
		"누구야", "어디야", "언제야", "어떻게 동작해", "어떻게 작동해", "어떻게 동작하는 거야", "어떻게 작동하는 거야", "어떻게 돌아가",
		"차이가 뭐야", "어떻게 쓰는 거야", "언제 쓰는 거야", "언제 써", "어떻게 써",
	} {
		if strings.HasSuffix(s, tail) {
			return true
		}
	}
	if hasAnySuffix(s, "이란", "란") {
		return true
	}
	for _, why := range [...]string{"왜 ", "이유가 "} {
		if i := strings.Index(s, why); i >= 0 && hasAnySuffix(s, "했어", "썼어", "한 거야", "쓴 거야", "있어", "했지", "썼지", "한거야", "쓴거야",
			"바꿨어", "넣었어", "뺐어") {
			return true
		}
	}
	return false
}
