package enrich

import (
	"strings"
	"testing"
)

func TestWithTriggers(t *testing.T) {
	triggers := []string{"표 뽑아줘", "crooked scan"}
	const said = `Use when the user says "표 뽑아줘", "crooked scan".`
	tests := []struct {
		name, front, want string // want is "" if the description cannot be extended
	}{
		{"plain", "name: pdf\ndescription: Reads PDF files.\nlicense: MIT\n", "name: pdf\ndescription: 'Reads PDF files. " + said + "'\nlicense: MIT\n"},
		{"last key", "name: pdf\ndescription: Reads PDF files.\n", "name: pdf\ndescription: 'Reads PDF files. " + said + "'\n"},
		{"double quotes", `description: "Reads \"PDF\" files."` + "\n", `description: 'Reads "PDF" files. ` + said + "'\n"},
		{"single quotes", "description: 'It''s for PDF.'\n", "description: 'It''s for PDF. " + said + "'\n"},
		{"several plain lines", "description: Reads PDF\n  files and forms.\nname: pdf\n", "description: 'Reads PDF files and forms. " + said + "'\nname: pdf\n"},
		{"literal block", "description: |\n  Reads PDF files.\n\n  Also forms.\n\nname: pdf\n",
			"description: |\n  Reads PDF files.\n\n  Also forms.\n  " + said + "\n\nname: pdf\n"},
		{"folded block at the end", "name: pdf\ndescription: >-\n    Reads PDF files.\n", "name: pdf\ndescription: >-\n    Reads PDF files.\n    " + said + "\n"},
		{"comment before the next key", "description: Reads PDF files.\n# ours\nname: pdf\n", "description: 'Reads PDF files. " + said + "'\n# ours\nname: pdf\n"},
		{"a block in CRLF", "description: |\r\n  Reads PDF files.\r\n\r\nname: pdf\r\n",
			"description: |\r\n  Reads PDF files.\r\n  " + said + "\r\n\r\nname: pdf\r\n"},
		{"a comment", "description: Reads PDF files. # ours\r\n", "description: 'Reads PDF files. " + said + "' # ours\r\n"},
		{"full", "description: " + strings.Repeat("가", 1010) + "\n", ""},
		{"none", "name: pdf\n", ""},
		{"a list", "description: [a, b]\n", ""},
		{"broken YAML", "description: \"open\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const body = "# PDF\n\ndescription: not this one\n"
			got, err := WithTriggers("---\n"+tt.front+"---\n"+body, tt.front, triggers)
			if tt.want == "" {
				if err == nil {
					t.Errorf("WithTriggers(%q) = %q, want an error", tt.front, got)
				}
				return
			}
			if want := "---\n" + tt.want + "---\n" + body; err != nil || got != want {
				t.Errorf("WithTriggers(%q) = %q, %v, want %q", tt.front, got, err, want)
			}
		})
	}
}

// An extended description keeps its old text, and the file all other bytes.
func FuzzWithTriggers(f *testing.F) {
	f.Add("name: pdf\ndescription: Reads PDF files.\n", "body\n")
	f.Add("description: >\n  a\n  b\n\n\nx: 1\n", "")
	f.Add("description: 'a'\n# c\n", "---\n")
	f.Fuzz(func(t *testing.T, front, body string) {
		text := "---\n" + front + "---\n" + body
		got, err := WithTriggers(text, front, []string{"crooked scan"})
		if err != nil {
			return
		}
		if !strings.HasSuffix(got, "---\n"+body) || !strings.Contains(got, "crooked scan") {
			t.Fatalf("WithTriggers(%q) = %q", text, got)
		}
	})
}
