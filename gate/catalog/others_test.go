package catalog

import "testing"

func TestForOthers(t *testing.T) {
	for description, want := range map[string]bool{
		"Drafts the outline. Invoked only by article-lead.":                   true,
		"Scores risks. Used exclusively by the `launch-desk` coordinator.":    true,
		"Only called by review-team; never alone.":                            true,
		"Writes the outline. Invoked only by the user.":                       false,
		"Invoked only by people who know the house style.":                    false,
		"Reviews what article-lead wrote. Do NOT use for code (use code-one)": false,
		"Only used by a team when a pre-release is due.":                      false,
	} {
		if got := (&Entry{Description: description}).ForOthers(); got != want {
			t.Errorf("ForOthers of %q = %v", description, got)
		}
	}
}
