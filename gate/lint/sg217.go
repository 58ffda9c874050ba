package lint

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/skillgate/skillgate/synonyms/terms"
)

var triggersRepeatName = &Rule{
	ID:       "SG217",
	Title:    "triggers only repeat the name",
	Why:      "somebody who types the name has found the skill already; nobody else says these words",
	Advice:   "list what users say when they want the result",
	See:      sraURL,
	Since:    v1,
	Group:    GroupDescription,
	Severity: Warning,
	Bad:      front("pdf-forms", "Fills PDF forms. Use when the user says \"pdf forms\", \"pdf-forms\"."),
	Good:     front("pdf-forms", "Fills PDF forms. Use when the user says \"fill in this application\", \"pdf forms\"."),
	Check: func(s *Skill, report Report) {
		if !s.Described() || len(s.Triggers) == 0 || byNameOnly.get().MatchString(s.Text()) {
			return
		}
		own := map[string]bool{}
		for _, t := range terms.Scan(s.Name + " " + s.Folder) {
			own[t.Text] = true
		}
		var said []string
		for _, trigger := range s.Triggers {
			if runsOn(trigger, said) {
				continue
			}
			for _, t := range terms.Scan(trigger) {
				if !own[t.Text] && !nameFiller.has(t.Text) {
					return
				}
			}
			if s.says(trigger) {
				said = append(said, trigger)
			}
		}
		if len(said) > 0 {
			report(Problem{At: s.InDescription(said[0]), Text: fmt.Sprintf("the only triggers are %s, the name %q over again", quoteList(said, 3), s.Name)})
		}
	},
}

var nameFiller = set("skill agent persona referenc activ use user invok run mode workflow expert specialist command")

// byNameOnly finds that a skill is meant to be run by its name alone.
var byNameOnly = lazy(`(?i)\bonly (when|if|on)\b[^.]{0,60}\b(explicit|by name|says)|\bexplicitly (says|types)|명시적으로`)

// runsOn reports whether a trigger is one of list and the sentence behind it, as
// in a list without a full stop.
func runsOn(trigger string, list []string) bool {
	for _, t := range list {
		if rest, ok := strings.CutPrefix(trigger, t+" "); ok && rest != "" && unicode.IsUpper([]rune(rest)[0]) {
			return true
		}
	}
	return false
}

// quoteList writes the first n of list in quotation marks.
func quoteList(list []string, n int) string {
	var b strings.Builder
	for i, s := range list {
		if i == n {
			fmt.Fprintf(&b, " and %d more", len(list)-n)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", printableShort(s))
	}
	return b.String()
}
