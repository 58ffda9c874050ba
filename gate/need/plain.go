package need

import (
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// Plain reports whether text is a short question or task that a model handles without a skill: what something is or
// means, why an error occurs, or a translation. It mentions a topic but does not ask for the topic's skills.
func Plain(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	if len(text) > 120 || strings.Contains(text, "\n") {
		return false
	}
	if vocab.PlainStart.Begins(text) {
		return true
	}
	return vocab.PlainEnd.Ends(strings.TrimRightFunc(text, func(r rune) bool {
		return strings.ContainsRune(" ?!.~", r) || script.Letter(r)
	}))
}
