package triage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func TestEveryEntryOfTalkIsReached(t *testing.T) {
	for entry := range vocab.Talk.All() {
		units, whole := unitsOf(strings.ReplaceAll(entry, "#", "2"))
		require.True(t, whole, entry)
		assert.Equal(t, classOf(entry), cover(units)[len(units)]&classOf(entry), entry)
		assert.LessOrEqual(t, len(units), maxEntry, entry)
	}
}

func TestWordsAreInLowerCase(t *testing.T) {
	for _, list := range []vocab.List{
		vocab.Talk, vocab.Determiner, vocab.Prose, vocab.Joints, vocab.UseVerb, vocab.UseArticle, vocab.TextExtension, vocab.Memory,
		vocab.Negation, vocab.NegationEnd,
	} {
		for w := range list.All() {
			if got := strings.ToLower(w); got != w {
				t.Errorf("list %d: %q is looked up as %q", list, w, got)
			}
		}
	}
}

func TestEveryCraftIsFound(t *testing.T) {
	seen := map[vocab.Craft]bool{}
	for w := range vocab.Crafts.All() {
		want, _ := vocab.Crafts.Value(w)
		seen[vocab.Craft(want)] = true
		got := craftOf(w)
		assert.Equal(t, vocab.Craft(want), got, "craftOf(%q) = %d, want %d", w, got, want)
	}
	for c := vocab.LightWork; c <= vocab.Write; c++ {
		if !seen[c] {
			t.Errorf("craft %d has no word", c)
		}
	}
}

func TestCommandsAreOfOneList(t *testing.T) {
	for w := range vocab.CommandVerb.All() {
		assert.False(t, vocab.Commands.Has(w), "%q is a command and a command that is a verb as well", w)
	}
}
