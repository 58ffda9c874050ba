package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var useCaseLate = &Rule{
	ID:       "SG205",
	Title:    "when to use the skill comes late",
	Why:      "hosts cut descriptions when the listing is over its budget (250 characters in some versions); what stands behind is seen by nobody",
	Advice:   "shorten what stands before \"Use when\"",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Info,
	Bad: front("pdf", "Fills and reads PDF forms with text fields, check boxes, radio buttons, lists, dates, signatures, bar codes, pictures, tables, notes, stamps, links, bookmarks, "+
		"layers, scripts, calculated totals, repeated sections, page breaks, several languages, right-to-left text, scanned pages, old versions of the format, damaged files, encrypted files, and portfolios of several documents. Use when a task names a .pdf file."),
	Good: front("pdf", "Fills and reads PDF forms. Use when a task names a .pdf file."),
	Check: func(s *Skill, report Report) {
		if !s.Described() || !hasUsage(s) || internalOnly(s) {
			return
		}
		text := s.Description
		at := len(text)
		for _, clause := range usageClauses() {
			if m := clause.FindStringIndex(text); m != nil {
				at = min(at, m[0])
			}
		}
		if n := utf8.RuneCountInString(text[:at]); at < len(text) && n > maxLead+leadSlack && occasionAt(text, at) {
			clause := firstWords(text[at:], 3)
			report(Problem{
				At: s.InDescription(clause), Text: fmt.Sprintf("the first %d characters do not say when to use the skill, recommended at most %d", n, maxLead),
				Hint: fmt.Sprintf("shorten what stands before %q", clause),
			})
		}
	},
}

// occasionAt reports whether the clause at that offset tells the reader when to
// use the skill: it begins a sentence, or speaks of the user, or is in another language.
// "Atoms that activate when the store is used" tells no occasion.
func occasionAt(text string, at int) bool {
	before := strings.TrimRight(text[:at], " \n\t*\"'(")
	if before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:;-") || text[at] >= utf8.RuneSelf || hasHangul(text[at:min(len(text), at+40)]) {
		return true
	}
	return asker.get().MatchString(text[at:])
}

var asker = lazy(`(?i)^\W*([a-z]+\W+){0,6}(users?|you|asks?|asked|requests?|triggers?|keywords?|phrases|says?|mentions?)\b`)

// maxLead is the cap on listed descriptions of Claude Code 2.1.86, the tightest that
// was shipped.
const maxLead = 250

// leadSlack is by how many characters nobody should have to shorten a text.
const leadSlack = 25
