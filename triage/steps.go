package triage

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

const (
	maxSteps     = 6    // a text with more parts is a specification, not a sequence
	maxComposite = 2000 // bytes; a longer text is taken as one task
	maxPreface   = 80   // bytes; a list or clause after a longer introduction is not a request
)

// split returns the steps of a composite request, in order, as parts of text. It returns nil if text asks for one
// thing.
//
// A composite request is a numbered list, a chain of arrows, or clauses joined by words for a sequence (then, 한 다음,
// 하고,). Words that may also occur within one task (and, -고) split only if another joint is a word for a
// sequence, in a list of three or more clauses, or between different crafts.
func split(text string) []string {
	if len(text) > maxComposite || strings.Contains(text, "```") {
		return nil
	}
	if steps := numbered(text); steps != nil {
		return steps
	}
	if steps := arrows(text); steps != nil {
		return steps
	}
	switch grammar := grammarOf(text); {
	case grammar.Spaceless:
		return splitSpaceless(text)
	case grammar.VerbLast:
		return splitVerbLast(text)
	}
	return splitVerbFirst(text)
}

func numbered(text string) []string {
	var starts, ends []int // offsets of the markers
	for i := range text {
		switch end, n := marker(text, i); n {
		case len(starts) + 1:
			starts, ends = append(starts, i), append(ends, end)
		case 1:
			starts, ends = []int{i}, []int{end}
		}
	}
	if len(starts) < 2 || len(starts) > maxSteps || starts[0] > maxPreface {
		return nil
	}
	steps := make([]string, len(starts))
	for k := range starts {
		item := text[ends[k]:]
		if k+1 < len(starts) {
			item = text[ends[k]:starts[k+1]]
		} else if line, _, more := strings.Cut(item, "\n"); more { // the last item ends with its line
			item = line
		}
		if steps[k] = trimStep(item); !namesWork(steps[k], true) && !endsRequest(steps[k]) {
			return nil
		}
	}
	return steps
}

// marker returns the end and the number of the list marker at text[i], or zeros: "1. ", "2) ", "(3) ", "①". Decimals
// and versions are not markers.
func marker(text string, i int) (end, n int) {
	if r, size := utf8.DecodeRuneInString(text[i:]); '①' <= r && r <= '⑨' {
		return i + size, int(r-'①') + 1
	}
	if i > 0 && strings.IndexByte(" \n\t(:", text[i-1]) < 0 {
		return 0, 0
	}
	if text[i] == '(' {
		i++
	}
	if i+2 >= len(text) || text[i] < '1' || text[i] > '9' || text[i+1] != '.' && text[i+1] != ')' {
		return 0, 0
	}
	if text[i+2] != ' ' && (text[i+1] == '.' || text[i+2] < utf8.RuneSelf) {
		return 0, 0
	}
	return i + 2, int(text[i] - '0')
}

// arrows returns the parts of a chain such as "요약 → 번역 → 공유", or nil. Each part must name a craft, so "heroku -> fly"
// is not a chain.
func arrows(text string) []string {
	for _, arrow := range [...]string{"➡", "⇒", " -> ", " => ", " >> "} {
		text = strings.ReplaceAll(text, arrow, "→")
	}
	parts := strings.Split(text, "→")
	if len(parts) < 2 || len(parts) > maxSteps {
		return nil
	}
	for i, p := range parts {
		if parts[i] = trimStep(p); !namesWork(parts[i], false) {
			return nil
		}
	}
	return parts
}

// namesWork reports whether s, a part of a list or chain, names a vocab.Craft. If light is set, a LightWork verb at the
// start of s also counts.
func namesWork(s string, light bool) bool {
	for i, w := range strings.Fields(s) {
		c := craftOf(w)
		if c != vocab.NoCraft && (c != vocab.LightWork || light && i == 0) {
			return true
		}
	}
	return false
}

func trimStep(s string) string { return strings.Trim(s, " \t\n,;·、。") }

type word struct {
	text       string
	start, end int
}

func fields(s string) []word {
	words := make([]word, 0, 16)
	for i := 0; i < len(s); i++ {
		start := i
		for i < len(s) && s[i] > ' ' {
			i++
		}
		if i > start {
			words = append(words, word{s[start:i], start, i})
		}
	}
	return words
}

func craftOf(w string) vocab.Craft {
	w = strings.Trim(w, "(*_'\".,;:!?)")
	head := asciiHead(w)
	if craft, ok := vocab.Crafts.Value(strings.ToLower(head)); ok {
		return vocab.Craft(craft)
	}
	w = w[len(head):]
	for i := range w {
		for n := 12; n >= 6; n -= 3 { // words of four Hangul syllables down to two, three bytes each
			if i+n <= len(w) {
				if craft, ok := vocab.Crafts.Value(w[i : i+n]); ok {
					return vocab.Craft(craft)
				}
			}
		}
	}
	return vocab.NoCraft
}

func asciiHead(w string) string {
	if i := strings.IndexFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
		return w[:i]
	}
	return w
}

type clause struct {
	start, end int
	craft      vocab.Craft
	firm       bool // a word for a sequence precedes the clause
}

// stepsOf returns the texts of clauses, or nil if there are fewer than two. Unless certain is set, each clause must
// name a craft that is a request by itself, and neighbours must name different crafts.
func stepsOf(text string, cs []clause, certain bool) []string {
	for i, c := range cs {
		if !certain && (!c.craft.Alone() || i > 0 && c.craft == cs[i-1].craft) {
			return nil
		}
	}
	if len(cs) > maxSteps {
		cs[maxSteps-1].end = cs[len(cs)-1].end
		cs = cs[:maxSteps]
	}
	var steps []string
	for _, c := range cs {
		if s := trimStep(text[c.start:c.end]); s != "" {
			steps = append(steps, s)
		}
	}
	if len(steps) < 2 {
		return nil
	}
	return steps
}

// splitVerbFirst splits a request in a language that puts the verb before its object. It splits before each verb
// that starts a clause and names a craft.
func splitVerbFirst(text string) []string {
	words := fields(text)
	var cs []clause
	crafts := map[vocab.Craft]bool{}
	certain, quoted := false, false
	for i, w := range words {
		if strings.Count(w.text, "\"")%2 == 1 {
			quoted = !quoted
		}
		c := craftOf(w.text)
		if quoted || c == vocab.NoCraft {
			continue
		}
		from, is := joints(words[:i])
		firm, and := is&vocab.JointSequel != 0, is&vocab.JointAnd != 0
		opens := firm || and || from == 0 || endsPart(words[from-1].text) || len(cs) == 0 && is&vocab.JointAsk != 0
		if !opens || !hasObject(words[i:], c, firm) {
			continue
		}
		if len(cs) == 0 && w.start > maxPreface {
			return nil
		}
		if c != vocab.LightWork {
			crafts[c] = true
			certain = certain || firm && len(crafts) > 1
		}
		if len(cs) == 0 {
			cs = append(cs, clause{end: len(text), craft: c})
			continue
		}
		certain = certain || len(cs) > 1 && (firm || and)
		cs[len(cs)-1].end = words[from].start
		cs = append(cs, clause{start: w.start, end: len(text), craft: c, firm: firm})
		if len(cs) == 2 && and && !firm && i+1 < len(words) && !vocab.Determiner.Has(words[i+1].text) {
			return nil // the second "verb" is a noun, as in "security and test agents"
		}
	}
	if len(crafts) < 2 {
		return nil
	}
	return stepsOf(text, cs, certain)
}

// joints finds the joints at the end of words. It returns the number of words before them, and their combined roles,
// which include the role of the word before them.
func joints(words []word) (from int, is vocab.Joint) {
	for from = len(words); from > 0; from-- {
		joint := jointOf(words[from-1].text)
		if joint == 0 && from > 1 {
			if joint = jointOf(words[from-2].text + " " + words[from-1].text); joint&vocab.JointSequel != 0 {
				from--
			}
		}
		is |= joint
		if joint&(vocab.JointSequel|vocab.JointAnd|vocab.JointFiller) == 0 {
			break
		}
	}
	return from, is
}

func jointOf(w string) vocab.Joint {
	is, _ := vocab.Joints.Value(strings.ToLower(strings.TrimRight(w, ",:")))
	return vocab.Joint(is)
}

func endsPart(w string) bool { return w != "" && strings.IndexByte(",.;:!?", w[len(w)-1]) >= 0 }

// hasObject reports whether the verb of craft c at the start of words has an object or needs none. firm says that a
// word for a sequence, such as "then", precedes the verb.
func hasObject(words []word, c vocab.Craft, firm bool) bool {
	if last := len(words) == 1; last || endsPart(words[0].text) {
		return c.Alone() && (last || firm)
	}
	next := strings.ToLower(strings.TrimRight(words[1].text, ",.;:!?"))
	if is := jointOf(next); is&vocab.JointAnd != 0 {
		// "review and deploy" needs no object, but "design and write" does
		return len(words) > 2 && c.Alone() && craftOf(words[2].text).Alone()
	}
	return !vocab.Objectless.Has(next)
}
