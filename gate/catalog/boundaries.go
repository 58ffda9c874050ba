package catalog

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/lang/script"
)

// refusals start a boundary clause. The clause runs to the end of the sentence,
// or of the parenthesis that it stands in. Longer ones stand first.
var refusals = []string{
	"do not use this skill", "do not use it", "do not use this", "do not use", "do not trigger", "do not activate", "do not invoke", "do not apply",
	"don't use this skill", "don't use it", "don't use this", "don't use", "don't trigger", "don't activate", "don't invoke",
	"don’t use this skill", "don’t use", "don’t trigger",
	"does not trigger for", "does not trigger on", "should not be used", "must not be used", "cannot be used",
	"never use this skill", "never use it", "never use for", "never use when", "never use to",
	"not to be used", "not intended for", "not suitable for", "not meant for", "not designed for", "not appropriate for",
	"not used for", "not for", "not when", "not to use for", "not use for", "skip when", "skip for", "avoid using",
}

// refusalLeads follow a refusal before the excluded thing.
var refusalLeads = []string{
	"this skill ", "this ", "it ", "for ", "when ", "whenever ", "if ", "to ", "on ", "as ", "in ", "with ", "the user wants to ", "the user asks for ", "the user asks to ", "the user wants ", "the user ", "users ", "user ", "asked to ", "any of ", "any ", "or ", "and ", "nor ", "also ", "not ",
}

// koreanRefusals end a Korean boundary clause.
var koreanRefusals = []string{
	"사용하지 않", "사용하지 마", "사용하지 말", "사용하면 안", "쓰지 않", "쓰지 마", "쓰지 말", "사용 금지", "사용 불가", "사용 안 함", "사용 안함", "사용 X",
	"트리거하지 않", "호출하지 않", "호출하지 마", "대상이 아", "대상 아님", "해당하지 않", "해당되지 않", "가 아니다", "이 아니다", "가 아닙니다", "이 아닙니다", "가 아님", "이 아님",
}

// cutBoundary splits a sentence into what it says of the skill and its boundary
// clause, which is "" where it has none. The refusal itself is taken off.
func cutBoundary(s string) (kept, clause string) {
	low := mask(s)
	for i := 0; i < len(s); i++ {
		if i > 0 && isWord(low[i-1]) || strings.IndexByte("dsmcna", low[i]) < 0 {
			continue
		}
		for _, r := range refusals {
			if !wordAt(low, i, r) || !refuses(s, low, i, r) {
				continue
			}
			kept = strings.TrimRight(s[:i], " ,;:—–-*(")
			for _, and := range []string{" and", " but", " so", " or"} {
				kept = strings.TrimSuffix(kept, and)
			}
			kept = strings.TrimRight(kept, " ,;")
			rest := s[i+len(r):]
			if open := strings.LastIndexByte(s[:i], '('); open >= 0 && open+parens(s[open:]) > i {
				end := open + parens(s[open:])
				after := s[end:]
				rest = s[i+len(r) : end-1]
				kept = strings.TrimRight(s[:open], " ") + after
			}
			return kept, strings.TrimLeft(rest, " :*")
		}
	}
	if strings.HasPrefix(low, "not ") && namesAnother(s) {
		return "", s[len("not "):]
	}
	if at, end := koreanRefusal(s); at >= 0 {
		// Korean puts the refusal last, so the clause starts with the sentence or
		// after "… 사용하고".
		from := 0
		for _, and := range []string{"사용하고 ", "사용하며 ", "사용하되 ", "사용하고, ", "사용하며, ", "사용하되, "} {
			if i := strings.LastIndex(s[:at], and); i >= 0 {
				from = max(from, i+len(and))
			}
		}
		return strings.TrimSpace(s[:from]), strings.TrimSpace(s[from:at]) + " " + strings.TrimSpace(s[end:])
	}
	return s, ""
}

// namesAnother reports whether a parenthesis of s names a skill to use instead.
func namesAnother(s string) bool {
	for i := 0; i < len(s); i++ {
		if n := parens(s[i:]); s[i] == '(' && n > 0 {
			if names, ok := directive(s[i+1 : i+n-1]); ok && len(names) > 0 {
				return true
			}
		}
	}
	return false
}

// refuses tells a boundary from "not for" in running text: it starts a clause,
// or is written in capitals.
func refuses(s, low string, i int, r string) bool {
	if strings.Contains(s[i:i+len(r)], "NOT") || atClause(s, i) {
		return true
	}
	before := strings.TrimRight(low[:i], " ")
	for _, w := range []string{"and", "but", "also", "so", "please", "skill", "it", "or"} {
		if at := len(before) - len(w); at >= 0 && wordAt(before, at, w) {
			return strings.HasPrefix(r, "do") || strings.HasPrefix(r, "should") || strings.HasPrefix(r, "must") || strings.HasPrefix(r, "never") || w == "but"
		}
	}
	return strings.HasPrefix(r, "should not") || strings.HasPrefix(r, "must not")
}

// koreanRefusal returns where a Korean refusal starts and where its verb ends.
func koreanRefusal(s string) (at, end int) {
	at = -1
	for _, r := range koreanRefusals {
		if i := strings.Index(s, r); i >= 0 && (at < 0 || i < at) {
			at, end = i, i+len(r)
		}
	}
	if at < 0 {
		return -1, 0
	}
	for end < len(s) { // the rest of the verb: 않음, 마세요, 않습니다
		r, n := utf8.DecodeRuneInString(s[end:])
		if !script.Hangul(r) {
			break
		}
		end += n
	}
	return at, end
}

// exclusions reads the things of a boundary clause: "X (use Y), Z (use W)",
// "X — use Y instead", "X, Z".
func exclusions(clause string) []Boundary {
	var out []Boundary
	var not strings.Builder
	flush := func(use []string) {
		what := trimExcluded(not.String())
		not.Reset()
		if what == "" {
			if len(out) > 0 && len(use) > 0 {
				out[len(out)-1].Use = append(out[len(out)-1].Use, use...)
			}
			return
		}
		out = append(out, Boundary{Not: what, Use: use})
	}
	for i := 0; i < len(clause); {
		if n := quoted(clause, i); n > 0 {
			not.WriteString(clause[i : i+n])
			i += n
			continue
		}
		if clause[i] == '(' {
			if n := parens(clause[i:]); n > 0 {
				inner := clause[i+1 : i+n-1]
				if use, ok := directive(inner); ok {
					flush(use)
				} else {
					not.WriteString(clause[i : i+n])
				}
				i += n
				continue
			}
		}
		if directiveAt(clause, i) && atClause(clause, i) {
			rest, ok := cutDirective(clause[i:])
			use, used := skillNames(rest, false)
			if ok && len(use) > 0 {
				flush(use)
				i = len(clause) - len(rest) + used
				i += len(clause[i:]) - len(trimFiller(clause[i:]))
				i += len(clause[i:]) - len(skipPurpose(clause[i:]))
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(clause[i:])
		if r == ';' {
			flush(nil)
		} else {
			not.WriteString(clause[i : i+n])
		}
		i += n
	}
	flush(nil)
	return out
}

// trimExcluded takes the punctuation and the lead words off an excluded thing.
func trimExcluded(s string) string {
	for {
		t := strings.Trim(clean(s), " ,;:.!—–-→*·")
		low := lower(t) + " "
		for _, lead := range refusalLeads {
			if strings.HasPrefix(low, lead) {
				t = t[min(len(lead), len(t)):]
				break
			}
		}
		for _, tail := range []string{"에는", "에서는", "으로는", "로는", "때는", "경우는", "은", "는", " instead", " skill"} {
			if rest, ok := strings.CutSuffix(t, tail); ok && rest != "" && (tail[0] == ' ' || len(tail) > 3 || strings.ContainsFunc(rest, script.Hangul)) {
				t = rest
				break
			}
		}
		if t == s {
			break
		}
		s = t
	}
	switch s {
	case "에는", "에", "에서는", "으로는", "로는", "은", "는", "때", "경우", "경우에", "도":
		return "" // particles left over after "X(y 사용)"
	}
	if trimFiller(s) == "" {
		return ""
	}
	return s
}

// filler is what may follow a name in "use Y for that".
var filler = []string{
	"instead", "directly", "for that", "for those", "for these", "for this", "for it", "skills", "skill", "agents", "agent", "there", "first", "respectively", "separately",
}

func trimFiller(s string) string {
	for again := true; again; {
		again = false
		s = strings.TrimLeft(s, " ,.;:—–-`)")
		low := lower(s)
		for _, f := range filler {
			if wordAt(low, 0, f) && strings.HasPrefix(low, f) {
				s, again = s[len(f):], true
				break
			}
		}
	}
	return s
}

// skipPurpose skips "for Z" after a name: what the other skill is for is no
// further exclusion.
func skipPurpose(s string) string {
	low := lower(s)
	for _, w := range []string{"for ", "to ", "when ", "if ", "which ", "that "} {
		if strings.HasPrefix(low, w) {
			if end := strings.IndexAny(s, ",;"); end >= 0 {
				return s[end:]
			}
			return ""
		}
	}
	return s
}

// directives come before the names of the skills to use instead.
var directives = []string{
	"please use", "instead use", "instead, use", "use instead", "use", "prefer", "see", "refer to", "defer to", "delegate to", "route to", "switch to", "redirect to", "hand off to", "handled by", "covered by", "invoke", "try", "→", "=>", "->", "대신",
}

// directiveAt reports whether the character at i may start a directive.
func directiveAt(s string, i int) bool {
	switch c := s[i]; {
	case c >= 0x80, c == '=', c == '-':
		return true
	default:
		return (i == 0 || !isWord(s[i-1])) && strings.IndexByte("puisrdhctPUISRDHCT", c) >= 0
	}
}

// cutDirective takes the verb off a directive.
func cutDirective(s string) (rest string, ok bool) {
	low := lower(s)
	for _, d := range directives {
		if wordAt(low, 0, d) && len(s) > len(d) {
			return strings.TrimLeft(s[len(d):], " :"), true
		}
	}
	return s, false
}

// directive reads what stands in parentheses after an excluded thing. ok is
// false where it only explains.
func directive(inner string) (names []string, ok bool) {
	inner = strings.TrimSpace(inner)
	rest, english := cutDirective(inner)
	if !english {
		low := lower(inner)
		for _, lead := range []string{"that's", "that is", "those go to", "goes to"} {
			if strings.HasPrefix(low, lead) {
				rest, english = inner[len(lead):], true
			}
		}
	}
	korean := strings.Contains(inner, "사용") || strings.Contains(inner, "참고") || strings.Contains(inner, "이용") || strings.Contains(inner, "대신") || strings.HasSuffix(inner, "스킬")
	if !english && !korean {
		if bareName(inner) {
			return []string{inner}, true
		}
		return nil, false
	}
	names, _ = skillNames(rest, true)
	return names, english || len(names) > 0
}

// bareName reports whether a parenthesis holds one hyphenated name and nothing
// else. "(read-only)" and the like are no names.
func bareName(s string) bool {
	last := strings.LastIndexByte(s, '-')
	if last <= 0 || nameToken(s) != s || !isName(s, "") {
		return false
	}
	switch s[last+1:] {
	case "only", "time", "level", "end", "based", "party", "specific", "free", "hosted", "like", "focused":
		return false
	}
	return true
}

// elsewhere reads a sentence that sends some of the work to another skill: "For
// X, see Y.", "For X, use Y instead." It must name the skill the way skills are
// named, since libraries and tools are used in the same words.
func elsewhere(s string) (b Boundary, rest string, ok bool) {
	low := lower(s)
	if !strings.HasPrefix(low, "for ") {
		return b, s, false
	}
	for i := 4; i < len(s); {
		if n := skipGroup(s, i); n > 0 {
			i += n
			continue
		}
		for _, verb := range []string{"see ", "use "} {
			if !wordAt(low, i, strings.TrimSpace(verb)) || !strings.HasPrefix(low[i:], verb) {
				continue
			}
			names, used := skillNames(s[i+len(verb):], false)
			after := s[i+len(verb)+used:]
			tail := strings.TrimLeft(lower(after), " `,")
			said := strings.HasPrefix(tail, "skill") || strings.HasPrefix(tail, "instead")
			ends := strings.Trim(tail, ".") == "" || tail[0] == ';'
			if len(names) == 0 || !said && !(verb == "see " && ends) && !(ends && strings.Contains(names[0], "-")) {
				continue
			}
			what := trimExcluded(s[4:i])
			after = strings.TrimLeft(trimFiller(after), " ")
			return Boundary{Not: what, Use: names}, after, what != ""
		}
		i++
	}
	return b, s, false
}
