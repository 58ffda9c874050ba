package catalog

import "strings"

var calledBy = []string{"invoked only by ", "only invoked by ", "called only by ", "only called by ", "used only by ",
	"only used by ", "invoked exclusively by ", "called exclusively by ", "used exclusively by "}

// ForOthers reports whether the description reserves the entry for another skill or agent with a hyphenated name:
// "Invoked only by release-lead."
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
