package lint

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/gate/terms"
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
		if !s.Described() || len(s.Triggers) == 0 {
			return
		}
		own := map[string]bool{}
		for _, t := range terms.Scan(s.Name + " " + s.Folder) {
			own[t.Text] = true
		}
		for _, trigger := range s.Triggers {
			for _, t := range terms.Scan(trigger) {
				if !own[t.Text] && !nameFiller[t.Text] {
					return
				}
			}
		}
		report(Problem{At: s.InDescription(s.Triggers[0]), Text: fmt.Sprintf("the only triggers are %s", quoteList(s.Triggers, 3))})
	},
}

var nameFiller = set("skill agent persona referenc activ use user invok run mode workflow expert specialist")

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
