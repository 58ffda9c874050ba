package terms

import "strings"

// Joined returns the terms under which text is indexed, joined by spaces.
func Joined(text string) string {
	var out []string
	for _, t := range Scan(text) {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}
