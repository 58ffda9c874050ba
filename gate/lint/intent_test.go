package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/gate/lint/measure"
)

// A boundary in intent.yaml names one skill, so the second skill of "use x or y" is not a difference.
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
			assert.Equal(t, tt.want, got)
		})
	}
}

// An intent.yaml that does not parse is reported at the line of the error.
func TestUnreadableDesign(t *testing.T) {
	for name, tt := range map[string]struct {
		intent string
		line   int
		says   string
	}{
		"a list for a text": {"intent: Fills PDF forms.\ntriggers:\n  en: [[fill]]\n", 3, "a list is not text"},
		"an unknown field":  {"intent: Fills PDF forms.\nowner: me\n", 2, "unknown field owner"},
		"an open list":      {"intent: Fills PDF forms.\ntriggers: {en: [a}\n", 1, "a list in brackets that is not closed"},
		"an anchor":         {"intent: Fills PDF forms.\ninputs: &x [a]\n", 2, "anchors"},
		"too long":          {strings.Repeat("# a\n", 20_000), 0, "80000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			e := front("pdf", "Fills PDF forms.").with("pdf/intent.yaml", tt.intent)
			got := Run(library(t, e), Options{Rules: map[string]bool{"SG601": true}}).Findings
			if len(got) != 1 || got[0].Line != tt.line || got[0].Path != "pdf/intent.yaml" || !strings.Contains(got[0].Text, tt.says) {
				t.Errorf("SG601 = %+v, want one of line %d that says %q", got, tt.line, tt.says)
			}
		})
	}
}

// A conflict is reported once for each other skill, with the clearest trigger. If the other skill
// scores far less, there is no conflict.
func TestConflictsAreGrouped(t *testing.T) {
	e := front("pdf", "Fills PDF forms.").with("pdf/intent.yaml", goodIntent)
	l := library(t, e)
	l.Measured[l.Skills[0].ID].Claims = []measure.Claim{
		{Trigger: "near", Own: 1, Other: "a", Ratio: 0.95, Head: 1},
		{Trigger: "level", Own: 2, Other: "b", Ratio: 1.02},
		{Trigger: "clear", Own: 2, Other: "b", Ratio: 2},
		{Trigger: "none", Own: 1, Other: "d", Ratio: 0.2},
		{Trigger: "lost", Other: "e"},
	}
	var got []string
	for _, f := range Run(l, Options{Rules: map[string]bool{"SG604": true}}).Findings {
		got = append(got, f.Text)
	}
	slices.Sort(got)
	want := []string{`the trigger "clear" finds b first, with a score 100 % above this skill's; the same applies to "level"`,
		`the trigger "lost" finds e, but this skill is not among the first 30 results`,
		`the trigger "near" finds a too, with a score only 5 % below this skill's`}
	assert.Equal(t, want, got)
}

const goodIntent = `intent: Fills PDF forms.
triggers:
  en: [fill in this form]
  ko: [양식 채워줘]
inputs: [a PDF file]
outputs: [a filled PDF file]
boundaries: []
references: []
`
