package catalog

import (
	"strings"

	"github.com/skillgate/skillgate/lang/script"
)

// labels start a list of trigger phrases. Longer ones stand before those that
// they start with. All are in lower case.
var labels = []string{
	"korean triggers", "english triggers", "japanese triggers", "chinese triggers", "korean trigger", "english trigger",
	"korean keywords", "english keywords", "trigger keywords", "trigger words", "trigger phrases", "trigger terms",
	"keyword triggers", "example triggers", "common triggers", "natural language triggers", "auto-triggers",
	"triggers include", "triggers on", "trigger on", "trigger with phrases like", "trigger with phrases", "trigger with", "triggers when user says",
	"triggers", "trigger", "keywords", "activation keywords", "activation phrases",
	"한국어 트리거", "한글 트리거", "영어 트리거", "트리거 키워드", "트리거 문구", "트리거", "한국어 키워드", "키워드", "한국어", "호출어", "발동 키워드",
}

// bare are the labels that start a list without a colon.
func bare(label string) bool {
	return strings.HasSuffix(label, " on") || strings.HasSuffix(label, " include") || strings.HasPrefix(label, "trigger with")
}

// cutLabel splits a sentence at the label of a trigger list. The list runs to
// the end of the sentence.
func cutLabel(s string) (kept, list string, ok bool) {
	low := mask(s)
	for i := 0; i < len(s); i++ {
		if !labelStart(low[i]) || !atClause(s, i) {
			continue
		}
		for _, label := range labels {
			if !wordAt(low, i, label) {
				continue
			}
			rest := strings.TrimLeft(s[i+len(label):], " *")
			after, colon := strings.CutPrefix(rest, ":")
			if !colon {
				after, colon = strings.CutPrefix(rest, "：")
			}
			if !colon && rest != "" && strings.HasPrefix(rest, "(") { // "Triggers (Korean): …"
				if n := parens(rest); n > 0 {
					after, colon = strings.CutPrefix(strings.TrimLeft(rest[n:], " *"), ":")
				}
			}
			if colon || bare(label) && rest != "" {
				if !colon {
					after = rest
				}
				return strings.TrimRight(s[:i], " (*—–-;,·|"), strings.Trim(after, " *"), true
			}
		}
	}
	return s, "", false
}

// labelStart reports whether a label may start with c.
func labelStart(c byte) bool { return c >= 0x80 || strings.IndexByte("ackentj", c) >= 0 }

// atClause reports whether a clause may start at i: at the start of the
// sentence or after punctuation.
func atClause(s string, i int) bool {
	before := strings.TrimRight(s[:i], " *")
	if before == "" {
		return true
	}
	for _, p := range []string{",", ";", ":", ".", "(", "—", "–", "-", "·", "|", "!", "?", "。", "[", "]", "/", `"`, "'", "”", ")"} {
		if strings.HasSuffix(before, p) {
			return true
		}
	}
	return false
}

// cues say that a clause tells when to use the skill. What follows is a list of
// occasions. In order: longer ones before those that they start with.
var cues = []string{
	"use this skill proactively when", "use this skill whenever", "use this skill when", "use this skill for", "use this skill to", "use this skill if",
	"use this whenever", "use this when", "use this for", "use this to", "use it whenever", "use it when", "use it for", "use it to",
	"use proactively when", "use proactively for", "use proactively to", "use proactively whenever",
	"also use this when", "also use when", "also use for", "also use to", "also use it when", "also trigger when", "also trigger for",
	"use whenever", "use when", "use for", "use to", "use if", "use on", "use after", "use before", "use during",
	"used when", "used for", "useful when", "useful for", "ideal for", "ideal when", "best used when", "applicable when", "applies when",
	"should be used when", "should be used whenever", "should be used for", "should be used to",
	"trigger when", "trigger whenever", "triggers when", "triggered when", "triggered by", "trigger for", "triggers for",
	"activate when", "activates when", "activate for", "activates for", "invoke when", "invoked when", "invoke for", "invoke whenever",
	"when the user", "when a user", "when users", "when user", "whenever the user", "if the user",
	"typical requests include", "example requests", "example prompts", "common requests",
}

// usage takes the trigger phrases out of a sentence that tells when to use the
// skill; always says that the context does.
func (x *extractor) usage(s string, always bool) {
	low := mask(s)
	start, end := -1, 0
	for _, cue := range cues {
		if i := findWord(low, cue); i >= 0 && (start < 0 || i < start || i == start && i+len(cue) > end) {
			start, end = i, i+len(cue)
			if strings.HasSuffix(cue, " user") || strings.HasSuffix(cue, " users") {
				end = i // the subject is cut off with the clause's other leads
			}
		}
	}
	if start >= 0 {
		s = strings.TrimLeft(s[end:], " :")
	}
	phrases, rest := takeQuoted(s)
	list := listOfQuotes(phrases, rest)
	if start < 0 && !always && !koreanUsage(s) && !list {
		return
	}
	for _, p := range phrases {
		x.trigger(p)
	}
	if !list {
		x.clauses(rest)
	}
}

// listOfQuotes reports whether a sentence is nothing but several quoted phrases,
// which takeQuoted has taken out of it: what else than what users say?
func listOfQuotes(phrases []string, rest string) bool {
	return len(phrases) > 1 && strings.Trim(strings.TrimSuffix(strings.TrimRight(rest, " ,."), "등"), " ,./·;|") == ""
}

// leads are what stands before the occasion itself in "the user asks to X".
var leads = []string{
	"use when ", "use for ", "use it when ", "use it for ", "use to ", "and ", "or ", "also ", "when ", "whenever ", "if ", "for ", "to ", "the user's request ", "the user ", "a user ", "users ", "user ", "you ", "someone ", "the request ", "they ",
	"explicitly ", "asks you to ", "asks claude to ", "asks for help with ", "asks for help ", "asks for ", "asks to ", "asks about ", "asks how to ", "asks ", "ask for ", "ask to ", "ask about ", "ask ", "asking about ", "asking for ", "asking to ", "asked to ",
	"wants help with ", "wants to ", "wants ", "want to ", "want ", "needs help with ", "needs to ", "needs ", "need to ", "need help with ", "need ", "requests ", "requesting ", "request ",
	"says things like ", "says something like ", "says ", "say ", "mentions ", "mentioning ", "mention ", "types ", "invokes ", "is asking ", "is ", "are ", "has ", "have ", "would like to ", "would like ",
	"phrases like ", "things like ", "requests like ", "queries like ", "keywords like ", "terms like ", "such as ", "like ", "any of ", "any ", "e.g., ", "e.g. ", "include ", "includes ",
	"사용자가 ", "유저가 ", "누군가 ", "또는 ", "혹은 ", "및 ",
}

// clauses splits what a usage sentence says outside quotes into occasions. A
// single English word is no occasion unless it is a name or an abbreviation.
func (x *extractor) clauses(s string) {
	for _, part := range splitList(s) {
		for _, item := range splitOr(part) {
			item = trimKorean(trimLeads(trimMarks(item)))
			if worthy(item) {
				x.trigger(item)
			}
		}
	}
}

// trimMarks takes punctuation off both ends, a parenthesis only where the item
// has lost the other half.
func trimMarks(s string) string {
	s = strings.TrimRight(strings.TrimLeft(clean(s), " :;!?*[]—–-"), " .:;!?*[]—–-")
	if len(s) > 3 && s[0] == '(' && s[2] == ')' { // "(1) User mentions …"
		s = strings.TrimLeft(s[3:], " ")
	}
	for _, tail := range []string{" like", " such as", " mentions", " says", " including", " e.g", " about"} {
		s = strings.TrimSuffix(s, tail)
	}
	if strings.Count(s, "(") != strings.Count(s, ")") {
		s = strings.Trim(s, " ()")
	}
	return s
}

func trimLeads(s string) string {
	for again := true; again; {
		again = false
		low := lower(s) + " " // an item may be nothing but its lead: "the user"
		for _, lead := range leads {
			if s != "" && strings.HasPrefix(low, lead) {
				s, again = strings.TrimLeft(s[min(len(lead), len(s)):], " "), true
				break
			}
		}
	}
	return s
}

// splitOr splits "X Y or Z W" where both sides are more than a word: in
// "create or edit slides" the sides share an object.
func splitOr(s string) []string {
	for _, or := range []string{" or ", " 또는 ", " 혹은 "} {
		if at := strings.Index(s, or); at >= 0 {
			left, right := s[:at], s[at+len(or):]
			if or == " or " && (strings.Count(strings.TrimSpace(left), " ") < 1 || strings.Count(strings.TrimSpace(right), " ") < 1) {
				continue
			}
			return append([]string{left}, splitOr(right)...)
		}
	}
	return []string{s}
}

const maxOccasion = 16 // words; a longer clause is prose

func worthy(item string) bool {
	words := strings.Fields(item)
	if len(words) == 0 || len(words) > maxOccasion || len(item) < 2 || item == "사용자가" || item == "유저가" {
		return false
	}
	if len(words) > 1 {
		switch lower(words[0]) {
		case "this", "that", "it", "which", "these", "those", "even", "not", "don't", "no", "especially", "including", "then", "use", "prefer":
			return false
		}
		return true
	}
	for i, c := range []byte(item) {
		if c >= 0x80 || '0' <= c && c <= '9' || i > 0 && (c == '-' || 'A' <= c && c <= 'Z') {
			return true
		}
	}
	return false
}

// koreanEnds end a Korean clause that tells when to use the skill, longest
// first among those that end alike.
var koreanEnds = []string{
	"라고 요청할 때", "라고 요청하면", "라고 말할 때", "라고 말하면", "라고 물으면", "라고 할 때", "라고 하면", "라고 하거나",
	"를 요청할 때", "을 요청할 때", "를 요청하면", "을 요청하면", "요청할 때", "요청하면", "요청 시", "요청시",
	"에 대해 물어볼 때", "에 대해 물으면", "를 물어볼 때", "을 물어볼 때", "물어볼 때", "물어보면", "물으면", "질문할 때", "질문하면",
	"를 물을 때", "을 물을 때", "물을 때", "를 찾을 때", "을 찾을 때", "찾을 때",
	"를 언급할 때", "을 언급할 때", "를 언급하면", "을 언급하면", "언급할 때", "언급하면", "언급 시",
	"가 필요할 때", "이 필요할 때", "필요할 때", "필요하면", "필요 시", "를 원할 때", "을 원할 때", "원할 때", "원하면",
	"같은 요청이 오면", "같은 요청을 받으면", "같은 요청에", "같은 요청", "라는 요청에", "라는 요청", "등의 요청에", "등의 요청", "등 요청에", "등 요청",
	"같은 질문에", "같은 질문", "라는 질문에", "라는 질문", "같은 말에", "같은 말", "라는 말에", "라는 말", "같은 부탁에", "같은 부탁",
	"요청이 오면", "요청이 들어오면", "요청을 받으면", "부탁할 때", "부탁하면", "시킬 때", "시키면",
	"하고 싶을 때", "싶을 때", "말할 때", "말하면", "할 때", "하는 경우", "경우에", "경우", "때마다", "제공 시", "때",
}

// koreanTails follow the end: "할 때 사용한다".
var koreanTails = []string{
	"사용합니다", "사용하세요", "사용한다", "사용됩니다", "사용", "활용합니다", "활용하세요", "활용", "쓴다", "씁니다", "쓰세요", "호출합니다", "호출", "발동합니다", "발동", "트리거합니다", "트리거", "실행합니다", "실행", "반드시", "이 스킬을", "스킬을", "에", "이",
}

// koreanUsage reports whether a Korean sentence tells when to use the skill.
func koreanUsage(s string) bool {
	t := strings.TrimRight(s, " .!。)*")
	for {
		next := t
		for _, tail := range koreanTails {
			next = strings.TrimRight(strings.TrimSuffix(next, tail), " ")
		}
		if next == t {
			break
		}
		t = next
	}
	t = strings.TrimRight(t, " ,")
	for _, end := range koreanEnds {
		if strings.HasSuffix(t, end) {
			return true
		}
	}
	return false
}

// trimKorean takes the end of a Korean usage clause off an item.
func trimKorean(s string) string {
	if !strings.ContainsFunc(s, script.Hangul) {
		return s
	}
	for again := true; again; {
		again = false
		for _, list := range [][]string{koreanTails, koreanEnds} {
			for _, end := range list {
				if len(list) == len(koreanTails) && len(end) < 6 {
					continue // one syllable may belong to the word
				}
				if rest, ok := strings.CutSuffix(s, end); ok {
					s, again = strings.TrimRight(rest, " ,"), true
					break
				}
			}
		}
	}
	for _, particle := range []string{"을", "를"} {
		if rest, ok := strings.CutSuffix(s, particle); ok && rest != "" {
			return rest
		}
	}
	return s
}
