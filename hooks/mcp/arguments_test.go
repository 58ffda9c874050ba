package mcp

import "testing"

// The expected texts are those of Claude Code 2.1.330. The end-to-end tests compare with the real client.
func TestFill(t *testing.T) {
	tests := []struct {
		name, text, arguments string
		names                 []string
		want                  string
	}{
		{"all arguments", "Do $ARGUMENTS now.", "a b", nil, "Do a b now."},
		{"words from 0", "$0 then $1", "a b", nil, "a then b"},
		{"words in brackets", "$ARGUMENTS[1] and $ARGUMENTS[0]", "a b", nil, "b and a"},
		{"word that is not there", "$0 $5 $ARGUMENTS[7]", "a", nil, "a $5 $ARGUMENTS[7]"},
		{"quoted word", "$1", `a "b c"`, nil, "b c"},
		{"named words, the longest first", "$file in $fil", "a b", []string{"fil", "file"}, "b in a"},
		{"named word that is not there", "in [$dir]", "", []string{"dir"}, "in []"},
		{"name within a longer word", "$dirs", "a", []string{"dir"}, "$dirs\n\nARGUMENTS: a"},
		{"number within a word", "$1st", "a b", nil, "$1st\n\nARGUMENTS: a b"},
		{"escaped", `costs \$1`, "a b", nil, "costs $1\n\nARGUMENTS: a b"},
		{"no place for them", "Do it.", "a b", nil, "Do it.\n\nARGUMENTS: a b"},
		{"no arguments", "Do $ARGUMENTS.", "", nil, "Do ."},
		{"no arguments and no place", "Do it for $ 5.", "", nil, "Do it for $ 5."},
		{"arguments that look like places", "$ARGUMENTS", "$0 $ARGUMENTS", nil, "$0 $ARGUMENTS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fill(tt.text, tt.arguments, tt.names); got != tt.want {
				t.Errorf("fill(%q, %q, %q) = %q, want %q", tt.text, tt.arguments, tt.names, got, tt.want)
			}
		})
	}
}
