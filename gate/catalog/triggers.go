package catalog

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func bare(label string) bool {
	return strings.HasSuffix(label, " on") || strings.HasSuffix(label, " include") ||
		strings.HasPrefix(label, "trigger with")
}

// cutLabel splits a sentence at the label of a trigger list, which runs to the end of the sentence.
func cutLabel(s string) (kept, list string, ok bool) {
	low := mask(s)
	for i := 0; i < len(s); i++ {
		if !labelStart(low[i]) || !atClause(s, i) {
			continue
		}
		for label := range vocab.TriggerLabel.All() {
			if !wordAt(low, i, label) {
				continue
			}
			rest := strings.TrimLeft(s[i+len(label):], " *")
			after, colon := strings.CutPrefix(rest, ":")
			if !colon {
				after, colon = strings.CutPrefix(rest, "：")
			}
			if !colon && strings.HasPrefix(rest, "(") { // "Triggers (Korean): …"
				after, colon = strings.CutPrefix(strings.TrimLeft(rest[parens(rest):], " *"), ":")
			}
			if dashed := strings.TrimLeft(rest, "—–- "); !colon && dashed != rest && dashed != "" && quoted(dashed, 0) > 0 {
				after, colon = dashed, true // Triggers — "…", "…"
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

func labelStart(c byte) bool { return c >= 0x80 || strings.IndexByte("ackentj", c) >= 0 }

// atClause reports whether a clause may start at i: at the start of the sentence or after punctuation.
func atClause(s string, i int) bool {
	before := strings.TrimRight(s[:i], " *")
	if before == "" {
		return true
	}
	for _, p := range []string{",", ";", ":", ".", "(", "—", "–", "-", "·", "|", "!", "?", "。", "[", "]", "/", `"`, "'",
		"”", ")"} {
		if strings.HasSuffix(before, p) {
			return true
		}
	}
	return false
}

// usage extracts the triggers of a sentence that says when to use the skill or, if always is set, of any sentence.
func (x *extractor) usage(s string, always bool) {
	low := mask(s)
	start, end := -1, 0
	for cue := range vocab.UsageCue.All() {
		if i := findWord(low, cue); i >= 0 && (start < 0 || i < start || i == start && i+len(cue) > end) {
			start, end = i, i+len(cue)
		}
	}
	for r := range vocab.Refusal.All() { // skip a sentence such as "… that cannot be used for X"
		if i := findWord(low, r); i >= 0 && i < start && !strings.ContainsAny(s[i:start], ",;:.()—") {
			return
		}
	}
	if start >= 0 {
		s = strings.TrimLeft(s[end:], " :")
	}
	phrases, rest := takeQuoted(s)
	list := listOfQuotes(phrases, rest)
	if start < 0 && !always && !usageLast(s) && !list && !(x.wide && quotesUsers(s)) {
		return
	}
	for _, p := range phrases {
		x.trigger(p)
	}
	if !list && !x.wide {
		x.clauses(rest)
	}
}

// quotesUsers reports whether s presents a quoted phrase as something that users type, such as "requests like …" and
// "… 같은 요청". The phrase must have several words or be in a script without case, such as Hangul.
func quotesUsers(s string) bool {
	for i := 0; i < len(s); {
		n := quoted(s, i)
		if n == 0 {
			i++
			continue
		}
		phrase, behind := s[i:i+n], strings.TrimLeft(s[i+n:], " )）")
		before := " " + strings.TrimRight(lower(s[:i]), " :：(（-—–")
		if strings.Contains(phrase, " ") || strings.ContainsFunc(phrase, lang.Caseless) {
			rest, _ := vocab.SaidLead.CutPrefix(behind)
			if vocab.SaidBefore.Ends(before) || vocab.SaidBehind.Begins(strings.TrimLeft(rest, " ")) {
				return true
			}
		}
		i += n
	}
	return false
}

// listOfQuotes reports whether a sentence is only a list of quoted phrases. rest is the sentence without them.
func listOfQuotes(phrases []string, rest string) bool {
	rest, _ = vocab.AndSoOn.CutSuffix(strings.TrimRight(rest, " ,."))
	return len(phrases) > 1 && strings.Trim(rest, " ,./·;|") == ""
}

// clauses adds triggers for the situations that the unquoted part of a usage sentence lists. A single English word
// counts only if it is a name or an abbreviation.
func (x *extractor) clauses(s string) {
	for _, part := range splitList(s) {
		for _, item := range splitOr(part) {
			item = trimUsage(trimLeads(trimMarks(item)))
			if worthy(item) {
				x.trigger(item)
			}
		}
	}
}

// trimMarks trims punctuation, words such as "including" at the end, and a parenthesis without its other half.
func trimMarks(s string) string {
	s = strings.TrimRight(strings.TrimLeft(clean(s), " :;!?*[]—–-、"), " .:;!?*[]—–-、。")
	if len(s) >= 3 && s[0] == '(' && s[2] == ')' { // "(1) User mentions …"
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
		low := lower(s) + " " // with the space, a lead such as "the user " also matches a whole item
		for lead := range vocab.OccasionLead.All() {
			if s != "" && strings.HasPrefix(low, lead) {
				s, again = strings.TrimLeft(s[min(len(lead), len(s)):], " "), true
				break
			}
		}
	}
	return s
}

// splitOr splits "X Y or Z W" if both sides have several words. In "create or edit slides" it does not, because both
// verbs have the same object.
func splitOr(s string) []string {
	if left, right, ok := strings.Cut(s, " or "); ok && strings.Contains(strings.TrimSpace(left), " ") &&
		strings.Contains(strings.TrimSpace(right), " ") {
		return append([]string{left}, splitOr(right)...)
	}
	for or := range vocab.Or.All() {
		if left, right, ok := strings.Cut(s, or); ok {
			return append([]string{left}, splitOr(right)...)
		}
	}
	return []string{s}
}

const maxOccasion = 16 // words; a longer clause is prose

func worthy(item string) bool {
	words := strings.Fields(item)
	if len(words) == 0 || len(words) > maxOccasion || len(item) < 2 {
		return false
	}
	if len(words) > 1 {
		switch lower(words[0]) {
		case "this", "that", "it", "which", "these", "those", "even", "not", "don't", "no", "especially", "including", "then",
			"use", "prefer":
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

// usageLast reports whether a sentence in a language that puts the verb last says when to use the skill.
func usageLast(s string) bool {
	t := strings.TrimRight(s, " .!。)*")
	for {
		next := t
		for tail := range vocab.UsageTail.All() {
			next = strings.TrimRight(strings.TrimSuffix(next, tail), " ")
		}
		if next == t {
			break
		}
		t = next
	}
	return vocab.UsageEnd.Ends(strings.TrimRight(t, " ,"))
}

func trimUsage(s string) string {
	if !strings.ContainsFunc(s, lang.Caseless) {
		return s
	}
	for again := true; again; {
		again = false
		for _, list := range [...]vocab.List{vocab.UsageTail, vocab.UsageEnd} {
			for end := range list.All() {
				if rest, ok := strings.CutSuffix(s, end); ok {
					s, again = strings.TrimRight(rest, " ,"), true
					break
				}
			}
		}
	}
	return s
}
