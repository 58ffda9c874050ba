package rank

import (
	"slices"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate/catalog"
)

// In a library of three skills, only other people's skills can say which of two words is rarer.
func TestFewSkillsBorrowWhatAWordIsWorth(t *testing.T) {
	skills := []catalog.Entry{
		skill("a", "Runs workflows.", ""), skill("b", "Paints sundials.", ""), skill("c", "Feeds turtles.", ""),
	}
	r := over(t, skills)
	const prompt = "workflows with sundials"
	if got := r.top(prompt, 1); len(got) != 1 || got[0] != "b" {
		t.Errorf("Top(%q) = %v, want b: every other library has workflows", prompt, got)
	}
	r.Weights.Elsewhere = 0
	if got := r.top(prompt, 1); len(got) != 1 || got[0] != "a" {
		t.Errorf("Top(%q) = %v without other people's skills, want a: the words are worth the same", prompt, got)
	}
}

func TestWordShares(t *testing.T) {
	for _, want := range []float64{1, 0.5, 0.01} {
		line := WordShare("turtle", want)
		if got := line[len(line)-1]; len(line)+1 != wordLine || got < 'A' || got > 'z' {
			t.Errorf("WordShare(turtle, %v) = %q, want a hash and a letter", want, line)
		}
	}
	if general, rare := share("workflow"), share("sundial"); general < 0.1 || general > 1 || rare != 0 {
		t.Errorf("share of workflow %v, of sundial %v: want a tenth or more, and none", general, rare)
	}
	if len(wordShares)%wordLine != 0 || !slices.IsSorted(strings.Split(strings.TrimSpace(wordShares), "\n")) {
		t.Error("words.txt is not sorted lines of one length")
	}
}
