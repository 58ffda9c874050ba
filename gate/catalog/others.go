package catalog

import "strings"

// calledBy is what a description says before the name of what calls the entry.
var calledBy = []string{"invoked only by ", "only invoked by ", "called only by ", "only called by ", "used only by ",
	"only used by ", "invoked exclusively by ", "called exclusively by ", "used exclusively by "}

// ForOthers reports whether the description says that a certain other skill or agent alone calls the entry: one with a
// name of several parts, "Invoked only by release-lead." People and occasions are no such names.
func (e *Entry) ForOthers() bool {
	text := strings.ToLower(e.Description + " " + e.WhenToUse)
	for _, lead := range calledBy {
		_, rest, ok := strings.Cut(text, lead)
		name, _, _ := strings.Cut(strings.TrimPrefix(rest, "the "), " ")
		if ok && strings.Contains(strings.Trim(name, "`*.,;:()\"'"), "-") {
			return true
		}
	}
	return false
}
