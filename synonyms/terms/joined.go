package terms

import "strings"

// Joined is text as the terms that it is indexed under, joined by spaces.
func Joined(text string) string {
	var out []string
	for _, t := range Scan(text) {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}
