package lint

import "testing"

// textPoints returns the points that a skill gets for its text, and what was found.
func textPoints(t *testing.T, file string) (points int, found map[string]int) {
	t.Helper()
	res := Run(NewLibrary([]*Skill{FromText("pdf", "pdf/SKILL.md", []byte(file))}, []string{"en"}), Options{})
	found = map[string]int{}
	for _, f := range res.Findings {
		found[f.Rule]++
	}
	for _, p := range res.Skills[0].Score.Parts {
		if p.Name == "text" {
			return p.Got, found
		}
	}
	t.Fatalf("score of %q has the parts %v, want text among them", file, res.Skills[0].Score.Parts)
	return 0, nil
}

func TestScoreOfText(t *testing.T) {
	good := "---\nname: pdf\ndescription: Fills PDF forms and merges PDF files. Use when the user asks to \"fill a form\" or \"merge PDFs\".\n---\n# PDF\n\nOpen the form.\n"
	best, _ := textPoints(t, good)
	open, found := textPoints(t, good+"\n```sh\npdf fill form.pdf\n")
	if found["SG133"] == 0 {
		t.Fatalf("findings %v, want the fence that is not closed", found)
	}
	if open != best {
		t.Errorf("text of a skill with an open fence = %d points, without %d, want the same: a body does not hide a skill", open, best)
	}
	one, _ := textPoints(t, "---\nname: pdf\ndescription: Fills PDF forms and merges PDF files. Use when the user asks to \"fill a form\", \"fill a form\" or \"merge PDFs\".\n---\n# PDF\n\nOpen the form.\n")
	two, found := textPoints(t, "---\nname: pdf\ndescription: Fills PDF forms and merges PDF files. Use when the user asks to \"fill a form\", \"fill a form\", \"merge PDFs\" or \"merge PDFs\".\n---\n# PDF\n\nOpen the form.\n")
	if found["SG214"] != 2 {
		t.Fatalf("findings %v, want two repeated triggers", found)
	}
	if first, second := best-one, one-two; first <= 0 || second >= first {
		t.Errorf("a repeated trigger costs %d points, the second %d more, want less for the second", first, second)
	}
}
