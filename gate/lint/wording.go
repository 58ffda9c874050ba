package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillgate/skillgate/lang"
)

// usageEnglish finds a clause that says when to use a skill.
var usageEnglish = lazy(`(?i)\b(` +
	`(should|must|can|to) be (used|invoked|activated|triggered|called|applied|run|loaded)\b|` +
	`(us(e|ed|eful|ing)|invoked?|activat(e|es|ed)|trigger(s|ed)?|call(ed)?|apply|applies|load(s|ed)?|run(s)?|ideal|perfect|great|suitable|best|helpful|needed|required|employ|consult|reach for|applicable|relevant|intended|designed|built|works?)( (this|it|them|the)( (skill|agent|tool|workflow|guide))?| skill| proactively| automatically| immediately| only| also| best| [a-z-]+ skill)* ?(,|—|:|-)? ?\(?(when|whenever|if|for|to|on|before|after|during|by|as|in|with|while|at|upon|once|any time|anytime|every time)\b|` +
	`when(ever)? (the |a |an )?(user|users|you|working|asked|someone|developers?|engineers?|teams?|claude|agents?|model|task|project|code|need(ing|ed)?|creating|building|writing|reviewing|designing|implementing|analyzing|debugging|[a-z]+ing)\b|` +
	`(if|once|after|before) (the |a )?(user|users|you)\b|` +
	`(asks?|asked|wants?|needs?|says?|mentions?|requests?|requesting|asking) (to|for|about|how|whether)\b|` +
	`triggers?( (on|with|when|phrases?|words?|keywords?))?( \([^)]*\))?\s*[:：]|trigger(s|ed)? (on|with|by|when)\b|keywords?\s*[:：]|use cases?\s*[:：]|` +
	`for (users|teams|developers|people|anyone|engineers) (who|that|building|working|needing)\b)`)

// usageKorean finds a clause that says in Korean when to use a skill.
var usageKorean = lazy(
	`(때|경우|시|하면|이면|다면|면|거나)(에|에는|마다|만|라도)?[\s,]*(반드시 |이 스킬을 |스킬을 |꼭 )?(사용|활용|쓴다|쓰세요|쓰는|씁니다|호출|실행|발동|트리거|동작|적용)|` +
		`(물어보|물어볼|물으|질문|요청|부탁|말하|말할|언급|필요|원하|원할|싶)[가-힣]*\s*(때|면|시|경우)|(요청|질문|필요|언급|문의) ?시\b|` +
		`(때|경우)(에|에는)? (사용|활용|쓴|쓰)|[가-힣](할|볼|쓸|낼|줄|을|를|는|은|될|릴|칠) 때\b|` +
		`(한국어|한글|영어)?\s*(트리거|호출어|키워드)[^:：\n]{0,12}[:：]|용도로? (사용|쓴|쓰)|에 사용(한다|합니다|하세요|됩니다)`)

// usageOther finds such a clause in Chinese, Japanese, Spanish, Portuguese, French or German.
var usageOther = lazy(`当[^。]{1,80}(时|候)|适用于|適用於|用于[^。]{1,60}(场景|任务|情况)|触发词?|使用场景|(场景|任务|需要|问题)时使用|必须使用|(際|時|とき|場合)に(使用|利用|使う)|トリガー` +
	`|(?i)\b(us[ae]r?|utiliza[r]?) (cuando|quando|si|se)\b|\butilise[rz]? (quand|lorsque|pour|si)\b|\b(nutze|verwende|verwenden) (bei|wenn|für|um)\b`)

// hasUsage reports whether a skill says when to use it, in any language.
func hasUsage(s *Skill) bool {
	if s.usage == 0 {
		s.usage = -1
		if text := s.Text(); len(s.Triggers) > 0 || usageEnglish.get().MatchString(text) || usageKorean.get().MatchString(text) || usageOther.get().MatchString(text) {
			s.usage = 1
		}
	}
	return s.usage > 0
}

// sentences cuts text at full stops and the like that a space and a capital, a
// quotation mark or a letter of a script without capitals follow.
func sentences(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		if r != '.' && r != '!' && r != '?' && r != '。' && r != '\n' {
			continue
		}
		rest := text[i+utf8.RuneLen(r):]
		if r != '\n' && r != '。' {
			if rest == "" || rest[0] != ' ' {
				continue
			}
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
			if !unicode.IsUpper(next) && !lang.Caseless(next) && next != '"' && next != '(' && next != '\'' || shortForm(text[start:i]) {
				continue
			}
		}
		if one := strings.TrimSpace(text[start : i+utf8.RuneLen(r)]); one != "" {
			out = append(out, one)
		}
		start = i + utf8.RuneLen(r)
	}
	if one := strings.TrimSpace(text[start:]); one != "" {
		out = append(out, one)
	}
	return out
}

// shortForm reports whether s ends in an abbreviation that a full stop belongs to.
func shortForm(s string) bool {
	i := strings.LastIndexAny(s, " (")
	last := strings.ToLower(s[i+1:])
	switch last {
	case "e.g", "i.e", "etc", "vs", "cf", "dr", "mr", "ms", "no", "inc", "ltd", "st", "approx", "fig":
		return true
	}
	return len(last) == 1 && last[0] < 0x80 && unicode.IsLetter(rune(last[0]))
}

// unquote blanks what stands between quotation marks, so that what a user says is
// not taken for what the description says. Offsets stay.
func unquote(text string) string {
	b := []byte(text)
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}, {"`", "`"}, {"「", "」"}} {
		for at := 0; ; {
			i := strings.Index(text[at:], q[0])
			if i < 0 {
				break
			}
			i += at
			j := strings.Index(text[i+len(q[0]):], q[1])
			if j < 0 {
				break
			}
			j += i + len(q[0]) + len(q[1])
			for k := i; k < j; k++ {
				b[k] = ' '
			}
			at = j
		}
	}
	return string(b)
}

// wordsOf cuts text into lower-case words of letters and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isRefusal reports whether a sentence says what the skill is not for.
func isRefusal(sentence string) bool {
	low := strings.ToLower(sentence)
	for _, p := range []string{"do not use", "don't use", "don’t use", "not for ", "never use", "do not trigger", "should not be used", "not intended", "사용하지", "쓰지 않", "쓰지 마", "아닌 경우", "금지"} {
		if strings.Contains(low, p) {
			return true
		}
	}
	return false
}
