package lint

import (
	"strings"
	"testing"
)

// A boundary has room for one skill; the second of "use x or y" is no difference.
func TestBoundaryWithAlternatives(t *testing.T) {
	intent := strings.Replace(goodIntent, "boundaries: []", "boundaries: [{not: joining files, use: pdf-merge}]", 1)
	tests := []struct {
		name, refusal string
		want          int
	}{
		{"alternative", "Do NOT use for joining files (use pdf-merge or pdf-tools).", 0},
		{"another boundary", "Do NOT use for joining files (use pdf-merge). Do NOT use for scans (use pdf-ocr).", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := front("pdf", `Fills PDF forms. Use when the user says "fill in this form" or "양식 채워줘". `+tt.refusal).with("pdf/intent.yaml", intent)
			got := 0
			for _, f := range Run(library(t, e), Options{Rules: map[string]bool{"SG602": true}}).Findings {
				if strings.Contains(f.Text, "pdf-") {
					got++
				}
			}
			if got != tt.want {
				t.Errorf("SG602 of %q reports %d skills, want %d", tt.refusal, got, tt.want)
			}
		})
	}
}

// goodIntent fits the description of a good example.
const goodIntent = `intent: Fills PDF forms.
triggers:
  en: [fill in this form]
  ko: [양식 채워줘]
inputs: [a PDF file]
outputs: [a filled PDF file]
boundaries: []
references: []
`
