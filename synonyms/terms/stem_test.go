package terms

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func TestStem(t *testing.T) {
	tests := []struct{ name, word, want string }{
		{"short words stay", "aws", "aws"},
		{"plural", "reports", "report"},
		{"plural of an abbreviation", "llms", "llm"},
		{"irregular past", "wrote", "write"},
		{"its present form", "writes", "write"},
		{"British spelling", "optimisation", "optim"},
		{"American spelling", "optimization", "optim"},
		{"-ise that is not British", "exercised", "exercis"},
		{"a name that looks like a plural", "kubernetes", "kubernetes"},
		{"another alphabet", "отчёты", "отчёты"},
		{"Greek plural beside its singular", "analyses", "analyz"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, Stem(tt.word), tt.name)
	}
}

func TestEveryGivenStemIsOneThatIsReached(t *testing.T) {
	for w := range vocab.Stems.All() {
		if len(w) < 4 && Stem(w) == w && vocab.Stems.Text(w) != w {
			t.Errorf("%q is too short to be looked up", w)
		}
	}
	for w := range vocab.KeepsS.All() {
		assert.GreaterOrEqual(t, len(w), 4, w)
	}
}

func TestStopWordsLeaveNoToken(t *testing.T) {
	for w := range vocab.Stop.All() {
		assert.Empty(t, Scan(w), w)
	}
}

func TestCodeWorkIsStems(t *testing.T) {
	for _, list := range []vocab.List{vocab.CodeWork, vocab.AppPart, vocab.Generic} {
		for w := range list.All() {
			if vocab.Stop.Has(w) && Stem(w+"ing") != w { // "evening" leaves "even"
				t.Errorf("%q of list %d is a stop word and never looked up", w, list)
			}
			leaves := func(ending string) bool { return Stem(w+ending) == w }
			if got := Stem(w); got != w && !slices.ContainsFunc([]string{"ed", "ing", "s", "e", "y"}, leaves) {
				t.Errorf("%q of list %d is stemmed to %q before it is looked up", w, list, got)
			}
		}
	}
}
