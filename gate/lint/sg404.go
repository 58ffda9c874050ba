package lint

import (
	"fmt"
	"strings"
)

var overBudget = &Rule{
	ID:       "SG404",
	Title:    "descriptions do not fit into the host's listing",
	Why:      "the host lists every skill's name; descriptions beyond 1 % of the context are dropped, those of the least used skills first",
	Advice:   "shorten descriptions, move skills to a library folder that only skillgate reads, or set skillOverrides to name-only",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupLibrary,
	Severity: Info,
	Bad:      Example{Files: []ExampleFile{skill("pdf", "Fills and reads PDF forms."), skill("weather", "Tells the weather of a city.")}, Listing: &Listing{8000, []string{"weather"}}},
	Good:     Example{Files: []ExampleFile{skill("pdf", "Fills and reads PDF forms.")}, Listing: &Listing{Budget: 8000}},
	Whole: func(l *Library, report Report) {
		if x := l.Listing; x != nil && len(x.Dropped) > 0 {
			report(Problem{Text: fmt.Sprintf("names and descriptions do not fit into %d characters: %d skills lose their description: %s", x.Budget, len(x.Dropped), firstOf(x.Dropped, maxListed))})
		}
	},
}

const maxListed = 40 // names that a message has room for

// firstOf joins at most n items and says how many more there are.
func firstOf(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:n], ", "), len(list)-n)
}

// Listing is what the host's listing of skills has no room for.
type Listing struct {
	Budget  int      // characters
	Dropped []string // names of the skills that are listed without their description
}
