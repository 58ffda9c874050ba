package hooks

import (
	"strings"
	"unicode"
)

// An order is recognised by words in sequence. Each step of a pattern is a list
// of alternatives separated by "|"; a word meets an alternative when it equals it,
// or begins with it where the alternative ends in "*" (Korean particles and
// endings, English plurals). Between two steps there may be up to orderGap other
// words. A step that begins with "^" must be met by the sentence's first word, and
// one that begins with "+" by the word right after the step before it.
var orders = [][]string{
	// What was said before no longer counts.
	{"ignore*|disregard*|forget|override*|bypass*", "previous|prior|above|earlier|preceding|foregoing", "instruction*|prompt*|rule*|direction*|guideline*|message*|context|constraint*"},
	{"ignore|disregard|forget|override|bypass", "all|any|your|the|every|other|these|system", "instruction*|prompt|prompts|guideline*|directive*"},
	{"new|updated|real|actual|override", "+instruction*", "follow*|below|are|from"},
	{"system|developer", "+prompt|message|override", "is|are|was|reveal*|print*|show|override*|ignore*|changed|updated"},
	{"reveal|print|repeat|output|show|leak", "your", "+system|hidden|initial", "+prompt*|instruction*|message*"},
	// Who the model is or must be from here on.
	{"you", "+are", "+now"},
	{"from", "+now", "+on"},
	{"you", "+must|shall", "now|always|never|immediately|obey|comply|ignore"},
	{"you", "+must|shall", "+load|invoke|call|follow"},
	{"^important|critical|mandatory|attention|urgent", "+always|never|you|do|don|must|ignore|before|first|use|load|invoke|call|run|this"},
	// This skill before all others.
	{"always|must", "use|load|invoke|call|choose|prefer|pick|select|run", "+this|me", "+skill|tool|agent|first|one"},
	{"always", "+use|load|invoke|call|choose|prefer|pick|select|run", "+this|me"},
	{"use|load|invoke|call|choose|prefer|pick|select|run", "+this|me", "every|all|each", "+prompt*|request*|message*|turn*|conversation*"},
	{"before", "+any|every|all|each", "response*|answer*|reply|replies"},
	{"never|not|t", "+use|load|invoke|call|choose", "+any|other|another", "skill*|tool*|agent*"},
	{"instead", "+of", "+any|all|every", "skill*|tool*|agent*"},
	// Behind the user's back.
	{"not|never|t|without", "+tell|telling|inform|informing|reveal|notify|notifying|ask|asking", "user|users|human"},

	{"이전|이전의|앞선|앞의|위의|위|기존|기존의|지금까지의|모든", "지시*|지침*|명령*|규칙*|프롬프트*|메시지*|안내*", "무시*|잊어*|잊고|따르지|버려*|폐기*"},
	{"시스템", "+프롬프트*|메시지*|지시*", "출력*|공개*|보여*|알려*|무시*"},
	{"지금부터|이제부터|앞으로", "너는|넌|당신은|네가|당신이|반드시|항상|무조건"},
	{"너는|넌|당신은", "이제|지금|반드시|항상|무조건|절대*"},
	{"반드시|항상|무조건|언제나", "이", "+스킬*|도구*|에이전트*"},
	{"이", "+스킬*|도구*|에이전트*", "반드시|항상|무조건|언제나|먼저|우선*", "사용*|호출*|실행*|불러*|로드*|선택*|쓰*|써*"},
	{"^중요|필수|긴급", "+항상|반드시|절대*|무조건|이전*|먼저"},
	{"다른", "+스킬*|도구*|에이전트*", "사용하지|쓰지|호출하지|무시*"},
	{"사용자에게|사용자한테", "알리지|말하지|묻지|밝히지|보여주지|언급하지|숨기*|알려주지"},
}

// orderGap is how many words may stand between two steps of an order: enough for
// "all of the very", too few to join two thoughts.
const orderGap = 3

// isOrder reports whether a sentence tells the model what to do.
func isOrder(sentence string) bool {
	var buf [64]string
	words := appendWords(buf[:0], sentence)
	for i, word := range words {
		if len(words)-i < 2 { // no order is shorter
			return false
		}
		for _, steps := range orders {
			first := steps[0]
			if first[0] == '^' && i > 0 {
				continue
			}
			if meets(word, first) && follow(words[i+1:], steps[1:]) {
				return true
			}
		}
	}
	return false
}

// follow reports whether words meet steps in sequence.
func follow(words, steps []string) bool {
	if len(steps) == 0 {
		return true
	}
	gap := orderGap
	if steps[0][0] == '+' {
		gap = 0
	}
	for i := 0; i <= gap && i < len(words); i++ {
		if meets(words[i], steps[0]) && follow(words[i+1:], steps[1:]) {
			return true
		}
	}
	return false
}

// meets reports whether word is one of step's alternatives.
func meets(word, step string) bool {
	if step[0] == '^' || step[0] == '+' {
		step = step[1:]
	}
	for start := 0; start < len(step); {
		end := start
		for end < len(step) && step[end] != '|' {
			end++
		}
		if alt := step[start:end]; alt[0] == word[0] {
			head, open := strings.CutSuffix(alt, "*")
			if word == head || open && strings.HasPrefix(word, head) {
				return true
			}
		}
		start = end + 1
	}
	return false
}

// appendWords appends the words of text in lower case; full-width letters count
// as their plain ones.
func appendWords(words []string, text string) []string {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words = append(words, b.String())
			b.Reset()
		}
	}
	for _, r := range text {
		if 0xff01 <= r && r <= 0xff5e {
			r -= 0xff01 - '!'
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			flush()
		}
	}
	flush()
	return words
}
