package catalog

import (
	"strings"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// cutBoundary splits a sentence into the statement about the skill and the excluded things. For "Fills forms, not for
// scans" clause is "scans". clause is "" if the sentence excludes nothing.
func cutBoundary(s string) (kept, clause string) {
	low := mask(s)
	for i := 0; i < len(s); i++ {
		if i > 0 && isWord(low[i-1]) || strings.IndexByte("dsmcna", low[i]) < 0 {
			continue
		}
		for r := range vocab.Refusal.All() {
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
	if at, end := refusalLast(s); at >= 0 {
		// If the refusal comes last, as in Korean, the clause begins at the start of the sentence or after "… 사용하고".
		from := 0
		for and := range vocab.UseAnd.All() {
			if i := strings.LastIndex(s[:at], and); i >= 0 {
				from = max(from, i+len(and))
			}
		}
		return strings.TrimSpace(s[:from]), strings.TrimSpace(s[from:at]) + " " + strings.TrimSpace(s[end:])
	}
	return s, ""
}

func namesAnother(s string) bool {
	for i := range len(s) {
		if n := parens(s[i:]); s[i] == '(' && n > 0 {
			if names, _ := directive(s[i+1 : i+n-1]); len(names) > 0 {
				return true
			}
		}
	}
	return false
}

// refuses reports whether the refusal r at offset i of s begins a boundary. In "whether or not for profit" it does not.
// low is the result of mask(s).
func refuses(s, low string, i int, r string) bool {
	if atClause(s, i) || strings.Contains(s[i:i+len(r)], "NOT") {
		return true
	}
	before := strings.TrimRight(low[:i], " ")
	switch before[strings.LastIndexByte(before, ' ')+1:] {
	case "but":
		return true
	case "and", "also", "so", "please", "skill", "it", "this", "or": // the word before a refusal, as in "it should not"
		return strings.Contains("do ne sh mu", r[:2])
	}
	return false
}

// refusalLast returns the offsets of a refusal that follows the excluded thing, as in Korean ("… 사용하지 마세요"). at is -1
// if s has none.
func refusalLast(s string) (at, end int) {
	at = -1
	for r := range vocab.RefusalEnd.All() {
		if i := strings.Index(s, r); i >= 0 && (at < 0 || i < at) {
			at, end = i, i+len(r)
		}
	}
	if at < 0 {
		return -1, 0
	}
	for end < len(s) { // the rest of the verb: 않음, 마세요, 않습니다
		r, n := utf8.DecodeRuneInString(s[end:])
		if !lang.Caseless(r) {
			break
		}
		end += n
	}
	return at, end
}

// exclusions parses a boundary clause such as "X (use Y), Z (use W)", "X — use Y instead" or "X, Z".
func exclusions(clause string) []Boundary {
	var out []Boundary
	var not strings.Builder
	flush := func(use []string) {
		what := trimExcluded(not.String())
		not.Reset()
		if what != "" {
			out = append(out, Boundary{Not: what, Use: use})
		}
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

func trimExcluded(s string) string {
	for {
		t := strings.Trim(clean(s), " ,;:.!—–-→*·")
		low := lower(t) + " "
		for lead := range vocab.RefusalLead.All() {
			if strings.HasPrefix(low, lead) {
				t = t[min(len(lead), len(t)):]
				break
			}
		}
		for tail := range vocab.ExcludedTail.All() {
			if rest, ok := strings.CutSuffix(t, tail); ok && rest != "" {
				t = rest
				break
			}
		}
		if t == s {
			break
		}
		s = t
	}
	if vocab.LeftOver.Has(s) || trimFiller(s) == "" { // only particles are left, so nothing is excluded
		return ""
	}
	return s
}

func trimFiller(s string) string {
	for again := true; again; {
		again = false
		s = strings.TrimLeft(s, " ,.;:—–-`)")
		low := lower(s)
		for f := range vocab.NameFiller.All() {
			if wordAt(low, 0, f) && strings.HasPrefix(low, f) {
				s, again = s[len(f):], true
				break
			}
		}
	}
	return s
}

// skipPurpose skips "for Z" after a name, because the purpose of the other skill is not an exclusion.
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

func directiveAt(s string, i int) bool {
	c := s[i]
	return c >= 0x80 || c == '=' || c == '-' ||
		(i == 0 || !isWord(s[i-1])) && strings.IndexByte("puisrdhctgPUISRDHCTG", c) >= 0
}

func cutDirective(s string) (rest string, ok bool) {
	low := lower(s)
	for d := range vocab.Directive.All() {
		if wordAt(low, 0, d) && len(s) > len(d) && s[len(d)] != '-' {
			return strings.TrimLeft(s[len(d):], " :"), true
		}
	}
	return s, false
}

// directive returns the skills named in the parenthesis after an excluded thing. ok is false if the parenthesis only
// explains the thing.
func directive(inner string) (names []string, ok bool) {
	inner = strings.TrimSpace(inner)
	rest, english := cutDirective(inner)
	last := vocab.UseSign.In(inner) || vocab.UseSignEnd.Ends(inner)
	if !english && !last {
		if bareName(inner) {
			return []string{inner}, true
		}
		return nil, false
	}
	names, _ = skillNames(rest, true)
	return names, english || len(names) > 0
}

// bareName reports whether the text of a parenthesis is a single hyphenated skill name. Phrases such as "read-only" are
// not names.
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

// elsewhere parses a sentence that sends work to another skill, such as "For X, see Y." The name must be written like
// a skill's name, because libraries and tools are recommended in the same words.
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
