package synonyms

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func TestCodeWorkIsFoundInProse(t *testing.T) {
	d := Default()
	for _, list := range []vocab.List{vocab.CodeWork, vocab.AppPart} {
		for w := range list.All() {
			if w[0] < utf8.RuneSelf {
				continue
			}
			words := d.Words(w)
			if !slices.ContainsFunc(words, func(x Word) bool { return x.Text == w }) {
				t.Errorf("Words(%q) = %+v: the entry of list %d is never looked up", w, words, list)
			}
		}
	}
}
