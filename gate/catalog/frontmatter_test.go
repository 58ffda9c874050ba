package catalog

import (
	"strings"
	"testing"
)

func TestFindFrontmatter(t *testing.T) {
	tests := []struct {
		name, text     string
		opened, closed bool
		yaml, body     string
	}{
		{"between dashes", "---\nname: a\n---\n# A\n", true, true, "name: a\n", "# A\n"},
		{"after a byte order mark", BOM + "---\nname: a\n---\n# A\n", true, true, "name: a\n", "# A\n"},
		{"in CRLF", "---\r\nname: a\r\n---\r\n# A\r\n", true, true, "name: a\r\n", "# A\r\n"},
		{"blanks after the dashes", "--- \t\nname: a\n---  \n# A\n", true, true, "name: a\n", "# A\n"},
		{"blanks before the dashes", " ---\nname: a\n---\n# A\n", false, false, "", " ---\nname: a\n---\n# A\n"},
		{"an empty line first", "\n---\nname: a\n---\n", false, false, "", "\n---\nname: a\n---\n"},
		{"empty", "---\n---\n# A\n", true, true, "", "# A\n"},
		{"no line end at the end", "---\nname: a\n---", true, true, "name: a\n", ""},
		{"no body", "---\nname: a\n---\n", true, true, "name: a\n", ""},
		{"four dashes do not close", "---\nname: a\n----\n---\nb", true, true, "name: a\n----\n", "b"},
		{"dashes in a value do not close", "---\nname: a\n--- b\n---\nb", true, true, "name: a\n--- b\n", "b"},
		{"dashes of the body do not count", "---\na: 1\n---\nb\n---\nc\n", true, true, "a: 1\n", "b\n---\nc\n"},
		{"not closed", "---\nname: a\n# A\n", true, false, "name: a\n# A\n", "---\nname: a\n# A\n"},
		{"not closed after a mark", BOM + "---\nname: a\n", true, false, "name: a\n", "---\nname: a\n"},
		{"dashes alone", "---", true, false, "", "---"},
		{"none", "# A\n", false, false, "", "# A\n"},
		{"none after a mark", BOM + "# A\n", false, false, "", "# A\n"},
		{"nothing", "", false, false, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := FindFrontmatter(tt.text)
			if f.Opened != tt.opened || f.Closed != tt.closed || tt.text[f.Start:f.End] != tt.yaml || tt.text[f.Body:] != tt.body {
				t.Errorf("FindFrontmatter(%q) = %+v with %q and %q, want opened %v, closed %v, %q and %q",
					tt.text, f, tt.text[f.Start:f.End], tt.text[f.Body:], tt.opened, tt.closed, tt.yaml, tt.body)
			}
		})
	}
}

// Positions are in the text and in order, and reading the parts again gives the same result.
func FuzzFindFrontmatter(f *testing.F) {
	f.Add("---\nname: a\n---\n# A\n")
	f.Add(BOM + "--- \r\nname: a\r\n---\t\r\n")
	f.Add("---\n----\n---")
	f.Fuzz(func(t *testing.T, text string) {
		at := FindFrontmatter(text)
		if at.Start < 0 || at.End < at.Start || at.End > len(text) || at.Body < 0 || at.Body > len(text) || at.Closed && (!at.Opened || at.Body < at.End) {
			t.Fatalf("FindFrontmatter(%q) = %+v", text, at)
		}
		if !at.Closed {
			return
		}
		yaml, body := text[at.Start:at.End], text[at.Body:]
		again := "---\n" + yaml + "---\n" + body
		if b := FindFrontmatter(again); again[b.Start:b.End] != yaml || again[b.Body:] != body {
			t.Fatalf("FindFrontmatter(%q) = %+v, want %q and %q", again, b, yaml, body)
		}
		for line := range strings.Lines(yaml) {
			if strings.TrimRight(line, " \t\r\n") == "---" {
				t.Fatalf("FindFrontmatter(%q) leaves the line %q in the frontmatter", text, line)
			}
		}
	})
}
