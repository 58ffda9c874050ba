package catalog

import "testing"

func TestReferences(t *testing.T) {
	tests := []struct {
		name, body string
		want       int
	}{
		{"nothing", "Write the report.", 0},
		{"files of the folders of the specification", "Run `scripts/build.py`, see [the table](references/fields.md) and assets/logo.png.", 3},
		{"the same file twice", "scripts/a.sh, then ./scripts/a.sh again.", 1},
		{"a Markdown file beside SKILL.md", "Read FORMS.md first. SKILL.md is this file.", 1},
		{"a folder, no file", "Everything below scripts/ is generated.", 0},
		{"a path of the user's project", "Edit src/main.go and docs/index.md.", 0},
		{"a link to elsewhere", "https://example.com/scripts/x.py", 0},
		{"Korean around it", "먼저 references/용어.md가 아니라 references/terms.md를 읽는다", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (&Entry{Body: tt.body}).References(); got != tt.want {
				t.Errorf("References of %q = %d, want %d", tt.body, got, tt.want)
			}
		})
	}
}
