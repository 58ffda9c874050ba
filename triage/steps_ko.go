package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// splitKo splits a Korean or mixed request.
func splitKo(text string) []string {
	words := fields(text)
	cs := clausesKo(text, words)
	if len(cs) < 2 {
		return nil
	}
	joints := [firm + 1]int{}
	for _, c := range cs[1:] {
		joints[c.joint]++
	}
	if joints[firm] > 0 || joints[loose] > 1 {
		return stepsOf(text, cs)
	}
	if steps := craftsApart(text, cs); steps != nil {
		return steps
	}
	for i := len(cs) - 1; i > 0; i-- {
		if cs[i].joint == weak {
			cs = merge(cs, i)
		}
	}
	return craftsApart(text, cs)
}

// clausesKo cuts text at its joints. Clauses without a verb of their own are
// left with the one after them.
func clausesKo(text string, words []word) []clause {
	cs := []clause{{start: 0, joint: opening}}
	from := 0 // first word of the open clause
	cut := func(i int, next int, j joint) {
		// The open clause ends before word i; the next one starts with word next.
		if next >= len(words) || i-from < 1 {
			return
		}
		c := &cs[len(cs)-1]
		c.end = words[i-1].end
		c.craft = craftOfKo(text, words[from:i])
		cs = append(cs, clause{start: words[next].start, joint: j})
		from = next
	}
	quoted := false
	for i := range words {
		w := text[words[i].start:words[i].end]
		if strings.Count(w, "'")%2 == 1 || strings.Count(w, "\"")%2 == 1 {
			quoted = !quoted
			continue
		}
		if quoted || i+1 >= len(words) {
			continue
		}
		next := text[words[i+1].start:words[i+1].end]
		after := ""
		if i+2 < len(words) {
			after = text[words[i+2].start:words[i+2].end]
		}
		switch {
		case endsVerbPast(w) && afterNoun(next), standsAlone(craftKo(w)) && (next == "후" || next == "후에" ||
			next == "뒤" || next == "뒤에") && !duration(after):
			if verbKoAhead(text, words[i+2:]) {
				cut(i+2, i+2, firm)
			}
		case strings.HasSuffix(w, "고나서") || strings.HasSuffix(w, "고") && (next == "나서" || next == "나서,"):
			k := i + 1
			if next == "나서" || next == "나서," {
				k++
			}
			if verbKoAhead(text, words[k:]) {
				cut(k, k, firm)
			}
		case strings.HasSuffix(w, "고") && (next == "난") && afterNoun(after):
			cut(i+3, i+3, firm)
		case clauseEnd(w, "고,") || strings.HasSuffix(w, "하구,"):
			j := firm
			if conditional(text, words[from:i+1]) {
				j = opening
			}
			if j == firm {
				cut(i+1, i+1+sequence(text, words[i+1:]), j)
			}
		case sequence(text, words[i+1:]) > 0 && endsClause(w) && verbKoAhead(text, words[i+1:]):
			cut(i+1, i+1+sequence(text, words[i+1:]), firm)
		case clauseEnd(w, "고") && !auxiliary(next) && verbKoAhead(text, words[i+1:]):
			cut(i+1, i+1, loose)
		case strings.HasSuffix(w, "서") && channel(next) && hasRequest(text[words[i].start:]):
			cut(i+1, i+1, weak)
		case endsRequest(w) && i+2 < len(words) && verbKoAhead(text, words[i+1:]):
			cut(i+1, i+1, weak)
		}
	}
	last := &cs[len(cs)-1]
	last.end = words[len(words)-1].end
	last.craft = craftOfKo(text, words[from:])
	return tidyKo(text, cs)
}

// tidyKo drops what is not a step: a clause of one bare word joins its
// neighbour, and loose joints hold only between clauses that name a craft.
func tidyKo(text string, cs []clause) []clause {
	for i := 1; i < len(cs); {
		if i == len(cs)-1 && hasAnySuffix(lastWord(text[cs[i].start:cs[i].end]), "말고", "마", "않게") { // how, not what
			cs = merge(cs, i)
			continue
		}
		short := len(fields(text[cs[i-1].start:cs[i-1].end])) < 2 && !standsAlone(cs[i-1].craft)
		if short || cs[i].joint < firm && cs[i].craft == vocab.NoCraft && !hasRequest(text[cs[i].start:cs[i].end]) &&
			!clauseEnd(lastWord(text[cs[i].start:cs[i].end]), "고") {
			cs = merge(cs, i)
			continue
		}
		i++
	}
	return cs
}

// clauseEnd reports a verb form ending in the given syllables: "정리하고," but
// not "말고," or "그리고".
func clauseEnd(w, ending string) bool {
	stem, ok := strings.CutSuffix(w, ending)
	if !ok || stem == "" {
		return false
	}
	if nounKo(stem) {
		return false
	}
	if vocab.NoClause.Has(stem) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(stem)
	return script.Syllable(r) && !vocab.NoClauseEnd.Ends(stem)
}

// nounKo reports the stems of nouns that end in 고, as 광고 and 보고; 해보고 and
// its like are verbs.
func nounKo(stem string) bool {
	r, n := utf8.DecodeLastRuneInString(stem)
	if r == '보' {
		before, _ := utf8.DecodeLastRuneInString(stem[:len(stem)-n])
		return !strings.ContainsRune("아어여해려춰봐져켜라와워", before)
	}
	return strings.ContainsRune("신광참경창재최사회원공권예금중로망피잔출입투기", r) &&
		n == len(stem) || hasAnySuffix(stem, "신", "광", "참", "경", "재", "회", "잔", "출", "공")
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

// duration reports the words after which 후 means "later": 출시 후 한 달.
func duration(w string) bool {
	return w == "" || '0' <= w[0] && w[0] <= '9' || hasAnyPrefix(w, "한", "두", "세", "하루", "일주일", "몇", "며칠", "매", "첫")
}

// channel reports the places that results are delivered to.
func channel(w string) bool {
	if head := strings.ToLower(asciiHead(w)); head != "" {
		return vocab.Channel.Has(head)
	}
	return vocab.Channel.Begins(w)
}

func lastWord(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, ' ')+1:]
}

// auxiliary reports words that make a -고 before them part of one verb.
func auxiliary(next string) bool {
	return vocab.Auxiliary.Begins(next)
}

// afterNoun reports 다음, 뒤, 후 with their particles.
func afterNoun(w string) bool {
	return vocab.After.Has(strings.TrimRight(w, ","))
}

// endsVerbPast reports a word that ends like a verb before 다음, as 만든, 한,
// 고친, 쓴; nouns such as 승인 and 오픈 do not.
func endsVerbPast(w string) bool {
	r, _ := utf8.DecodeLastRuneInString(w)
	return strings.ContainsRune("한은쓴든친린본준꾼간킨긴낸뺀단딴짠튼푼뜬", r) &&
		!strings.HasSuffix(w, "지난") && !strings.HasSuffix(w, "버전")
}

// sequence returns how many words at the head of words say "after that": 그
// 다음, 이어서, 마지막으로.
func sequence(text string, words []word) int {
	if len(words) < 2 {
		return 0
	}
	w := strings.TrimRight(text[words[0].start:words[0].end], ",")
	next := strings.TrimRight(text[words[1].start:words[1].end], ",")
	if vocab.AfterThat.Has(w) {
		return 1
	}
	switch w {
	case "그", "그런", "그리고", "그러고":
		switch next {
		case "다음", "다음에", "다음엔", "다음에는", "뒤에", "후에", "나서", "뒤", "후", "다음으로", "마지막으로":
			return 2
		}
	}
	return 0
}

// endsClause reports a word that a clause may end with: a verb form or
// punctuation.
func endsClause(w string) bool {
	if strings.IndexByte(".,!?;)", w[len(w)-1]) >= 0 {
		return true
	}
	return hasAnySuffix(w, "고", "줘", "요", "자", "해", "음") || strings.HasSuffix(w, "서") && !strings.HasSuffix(w, "에서")
}

// endsRequest reports the end of a sentence that asks: 해줘, 주세요.
func endsRequest(w string) bool {
	w = strings.TrimRight(w, ".,!~")
	for _, s := range [...]string{"줘", "주세요", "줘요", "주십시오", "해봐", "하자", "해라"} {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}

func hasRequest(s string) bool {
	words := fields(s)
	return len(words) > 0 && endsRequest(s[words[len(words)-1].start:words[len(words)-1].end])
}

// conditional reports a clause that holds only in one case: "있으면 … 쓰고,
// 없으면 …" is one request.
func conditional(text string, words []word) bool {
	for _, w := range words {
		if s := text[w.start:w.end]; strings.HasSuffix(s, "으면") || strings.HasSuffix(s, "이면") ||
			strings.HasSuffix(s, "되면") || strings.HasSuffix(s, "하면") {
			return true
		}
	}
	return false
}

// verbKoAhead reports whether the words up to the next joint end in a verb
// that asks or goes on, not one that describes a noun (…하는 문서).
func verbKoAhead(text string, words []word) bool {
	for i, w := range words {
		s := strings.TrimRight(text[w.start:w.end], ".,!~")
		if endsRequest(s) || clauseEnd(s, "고") || i > 0 && endsVerbPast(s) && i+1 < len(words) &&
			afterNoun(text[words[i+1].start:words[i+1].end]) {
			return true
		}
		if strings.HasSuffix(s, "는") && i < 6 && craftKo(strings.TrimSuffix(s, "하는")) != vocab.NoCraft &&
			strings.HasSuffix(s, "하는") {
			return false
		}
		if c := text[w.end-1]; c == '.' || c == '?' || c == '!' || declares(s) {
			return false
		}
	}
	return false
}

// declares reports the end of a sentence that tells something: 떠요, 됐네.
func declares(w string) bool {
	w = strings.TrimRight(w, "ㅠㅜㅋㅎ")
	return hasAnySuffix(w, "요", "습니다", "됐어", "했어", "있어", "없어") && !hasAnySuffix(w, "세요", "줘요", "까요", "고요", "래요", "죠")
}

// craftOfKo returns the craft of a clause: the last one that its last words
// name.
func craftOfKo(text string, words []word) vocab.Craft {
	for i := len(words) - 1; i >= 0 && i >= len(words)-3; i-- {
		w := strings.Trim(text[words[i].start:words[i].end], ".,!?()'\"")
		if c := craftKo(w); c != vocab.NoCraft {
			return c
		}
		if c := craftOf(strings.ToLower(asciiHead(w))); c != vocab.NoCraft && c != vocab.LightWork {
			return c
		}
	}
	return vocab.NoCraft
}

func asciiHead(w string) string {
	for i := 0; i < len(w); i++ {
		if w[i] >= utf8.RuneSelf {
			return w[:i]
		}
	}
	return w
}
