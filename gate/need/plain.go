package need

import "strings"

// Plain reports whether a text is a short question or errand that a model answers from what it
// knows: what a thing is or means, why an error comes, a translation. Such a request names a
// topic, and skills about the topic are not what it asks for.
func Plain(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if len(text) > 120 || strings.Contains(text, "\n") {
		return false
	}
	for _, start := range plainStarts {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	text = strings.TrimRight(text, " ?!.~ㅋㅎ")
	for _, end := range plainEnds {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// plainStarts and plainEnds are how such texts begin in English and end in Korean.
var (
	plainStarts = []string{
		"what is ", "what's ", "whats ", "what are ", "what does ", "what do ", "what was ", "who is ", "when is ",
		"when was ", "where is ",
		"explain ", "define ", "translate ", "why is ", "why are ", "why does ", "why do ", "why did ", "how does ",
		"is there ", "is this ", "is it ", "does this ", "does it ",
		"can you explain ", "could you explain ", "tell me what ",
	}
	plainEnds = []string{
		"설명해줘", "설명해 줘", "설명해", "설명 좀", "설명 좀 해줘", "설명해주세요",
		"설명해봐", "알려줄래", "번역해줘", "번역해 줘", "번역해", "번역해주세요", "번역 좀",
		"뭐야", "뭐임", "뭐지", "뭐예요", "뭐에요", "뭔가요", "뭔데", "뭐냐", "무엇인가요",
		"무슨 뜻이야", "무슨 뜻", "무슨 뜻임", "뜻이 뭐야", "무슨 의미야", "의미야",
		"왜 나", "왜 나와", "왜 이래", "왜 그래", "왜 안돼", "왜 안 돼", "왜 그런거야",
		"어디 있어", "어디야", "어디 있지", "맞아", "맞나", "되나", "되나요", "될까",
	}
)
