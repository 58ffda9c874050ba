package lint

import (
	"strings"
	"testing"
)

func findingOf(t *testing.T, e Example, rule, folder string) (Finding, bool) {
	t.Helper()
	for _, f := range Run(library(t, e), Options{Rules: map[string]bool{rule: true}}).Findings {
		if strings.HasSuffix(f.Skill, folder) {
			return f, true
		}
	}
	return Finding{}, false
}

func TestMissingNeighbourIsASkill(t *testing.T) {
	body := "\n# pdf\n\n```sh\npdftk in.pdf cat\n```\n\nRun `qpdf --check in.pdf` and `pip install pikepdf`.\n"
	for _, tt := range []struct {
		name, use string
		hint      string // "" if nothing is reported
	}{
		{"a skill under a longer name", "(use merge-files)", "did you mean anthropic-merge-files?"},
		{"a slip of the pen", "(use pdf-mergr)", "did you mean pdf-merge?"},
		{"the beginning of several names", "(use team)", "did you mean team-eng?"},
		{"nothing like it", "(use quantum-solver)", sg305.Text().Advice},
		{"a rule", "(use token-budget rule)", ""},
		{"a document", "(use sandbox-design PRD)", ""},
		{"a server", "(use ide-browser MCP)", ""},
		{"a group", "(use office-* directly)", ""},
		{"a program that is run", "(use pdftk)", ""},
		{"a program in code marks", "(use qpdf)", ""},
		{"a package that is installed", "(use pikepdf)", ""},
		{"a program, directly", "(use ghostscript directly)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := file("pdf", "---\nname: pdf\ndescription: Fills PDF forms. Do NOT use for joining files "+tt.use+".\n---"+body).
				and("anthropic-merge-files", "Joins files.").and("writing", "Writes.").and("pdf-merge", "Joins PDF files.").
				and("team-eng", "One.").and("team-legal", "Two.").and("team-press", "Three.").and("team-sales", "Four.")
			got, found := findingOf(t, e, "SG305", "pdf")
			if found != (tt.hint != "") || got.Hint != tt.hint {
				t.Errorf("boundary %q: reported %v with hint %q, want %q", tt.use, found, got.Hint, tt.hint)
			}
		})
	}
}

func TestFindingsWithoutWords(t *testing.T) {
	for _, tt := range []struct{ name, rule, description, want string }{
		{"a description of the wrong kind", "SG206", "[{}]", `the description has too few distinctive words (0 instead of at least 2): ""`},
		{"a description of marks", "SG206", `"..."`, `the description has too few distinctive words (0 instead of at least 2): "..."`},
		{"a description of vague words", "SG206", "Helps with tasks.",
			`the description has too few distinctive words (0 instead of at least 2): "Helps with tasks."`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := file("d", "---\nname: d\ndescription: "+tt.description+"\n---\n").and("pdf", "Fills PDF forms. Use when the user says \"양식 채워줘\".")
			e.Files = append(e.Files, crowd(100, "Cooks dish %s.").Files...) // rare words are distinctive only in a large library
			if got, _ := findingOf(t, e, tt.rule, "d"); got.Text != tt.want {
				t.Errorf("%s of the description %s says %q, want %q", tt.rule, tt.description, got.Text, tt.want)
			}
		})
	}
}
