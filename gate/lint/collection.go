package lint

import (
	"fmt"
	"strings"

	"github.com/skillgate/skillgate/gate/wording"
)

var sg404 = &Rule{ID: "SG404", Severity: Info, Whole: func(l *Library, report Report) {
	if x := l.Listing; x != nil && len(x.Dropped) > 0 {
		report(Problem{Text: fmt.Sprintf("names and descriptions exceed %d characters in total, so the host lists %s by "+
			"name only: %s", x.Budget, wording.Count(len(x.Dropped), "skill"), firstOf(x.Dropped, maxListed))})
	}
}}

const maxListed = 40 // maximum number of names in a message

func firstOf(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:n], ", "), len(list)-n)
}

// Listing describes a host's list of skills that exceeds its length limit.
type Listing struct {
	Budget  int      // length limit in characters
	Dropped []string // names of the skills listed without a description
}

var sg405 = &Rule{ID: "SG405", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	by := l.Shadowed[s.ID]
	if by == "" {
		return
	}
	where := by
	if w := l.byID[by]; w != nil {
		where = w.Src.Path
	}
	report.at(s.Key("name"), "the host loads %s instead, under the same name %q", where, s.Name)
}}
