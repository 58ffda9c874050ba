package lint

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The fields that Claude Code 2.1.332 reads from a frontmatter, according to its listing: none, all although the text is
// not YAML, or all.
func TestHostFrontmatter(t *testing.T) {
	const name = "name: x\n"
	for _, tt := range []struct {
		name, front string
		want        Severity
	}{
		{"quotation that goes on at the margin", name + "description: \"alpha,\nbeta.\"", Error},
		{"the same in single quotes", name + "description: 'alpha,\nbeta.'", Error},
		{"the same with CRLF", name + "description: \"alpha,\r\nbeta.\"", Error},
		{"the same after an empty line", name + "description: \"alpha,\n\nbeta.\"", Error},
		{"quotation that is indented", name + "description: \"alpha,\n beta.\"", Off},
		{"quotation below its key", name + "description:\n  \"alpha\"", Off},
		{"nested quotation as far in as its key", name + "description: alpha\nmetadata:\n  a: \"b\n  c\"", Error},
		{"nested quotation further in", name + "description: alpha\nmetadata:\n  a: \"b\n    c\"", Off},
		{"quotation in a list", name + "description: alpha\ntags:\n  - \"b\n  c\"", Error},
		{"list in brackets at the margin", name + "description: alpha\ntags: [a,\nb]", Error},
		{"bracket that closes at the margin", name + "description: alpha\ntags: [\n  a\n]", Off},
		{"plain text at the margin", name + "description: alpha\nbeta two", Error},
		{"plain text that is indented", name + "description: alpha\n  beta two", Off},
		{"colon in a value", name + "description: Use when: alpha", Warning},
		{"colon in a line that goes on", name + "description: alpha\n  Use when: beta", Error},
		{"colon in a nested value", name + "description: alpha\nmetadata:\n  note: a: b", Error},
		{"colon at the end", name + "description: alpha one:", Error},
		{"at sign", name + "description: @alpha one", Warning},
		{"at sign in a nested list", name + "description: alpha\nmetadata:\n  keywords: [a, @b]", Error},
		{"backquote", name + "description: `alpha` one", Warning},
		{"star", name + "description: **alpha** one", Warning},
		{"brackets before text", name + "description: alpha\nargument-hint: [file] [mode]", Warning},
		{"bracket that is open", name + "description: alpha\ntags: [a, b", Warning},
		{"quotation that is open", name + "description: \"alpha one", Error},
		{"quotation in a quotation", name + "description: \"alpha \"one\" two\"", Error},
		{"text after a quotation", name + "description: \"alpha\" one", Error},
		{"unknown escape", name + `description: "alpha \d one"`, Error},
		{"escaped slash", name + `description: "alpha \/ one"`, Warning},
		{"folded text at the margin", name + "description: >\nalpha", Error},
		{"text after the mark of a block", name + "description: | alpha\n  beta", Error},
		{"tab in a block", name + "description: |\n\talpha", Error},
		{"tab before a nested key", name + "description: alpha\nmetadata:\n\ta: 1", Warning},
		{"end of the document", name + "description: alpha\n...\nmore: x", Error},
		{"dashes in a value", name + "description: alpha --- one\nlicense: MIT", Error},
		{"dashes in a comment", name + "# --- more ---\ndescription: alpha", Error},
		{"dashes at the end", name + "description: alpha ---", Off},
		{"two dashes", name + "description: alpha -- one", Off},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := FromText("x", "x/SKILL.md", []byte("---\n"+tt.front+"\n---\n# X\n"))
			got := Off
			for _, f := range Run(NewLibrary([]*Skill{s}, nil), Options{Rules: map[string]bool{"SG102": true, "SG103": true}}).Findings {
				got = max(got, f.Severity)
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

// Claude Code and other hosts disagree about the end of the frontmatter.
func TestEndOfFrontmatter(t *testing.T) {
	for text, want := range map[string]Severity{
		"---\nname: x\ndescription: alpha\n---\nBody.\n":       Off,
		"---\nname: x\ndescription: alpha\n---":                Off,
		"---\nname: x\ndescription: alpha\n----\nBody.\n":      Warning,
		"---\nname: x\ndescription: alpha\n ---\nBody.\n":      Warning,
		"---\nname: x\ndescription: alpha\n---x\nBody.\n":      Warning,
		"---\nname: x\ndescription: alpha\n\nBody.\n":          Error,
		"---\nname: x\ndescription: alpha\n...\nBody.\n":       Error,
		"---\nname: x\ndescription: |\n  a\n  ---\n  b\n---\n": Error,
	} {
		s := FromText("x", "x/SKILL.md", []byte(text))
		got := Off
		for _, f := range Run(NewLibrary([]*Skill{s}, nil), Options{Rules: map[string]bool{"SG102": true}}).Findings {
			got = max(got, f.Severity)
		}
		assert.Equal(t, want, got, text)
	}
}
