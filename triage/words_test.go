package triage

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skillgate/skillgate/synonyms/lang/script"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// asTyped is an entry of Talk or Form as a person types it: "#" is a number.
func asTyped(entry string) string { return strings.ReplaceAll(entry, "#", "2") }

func TestEveryWordOfConversationIsLookedUp(t *testing.T) {
	for _, list := range []vocab.List{vocab.Talk, vocab.Form} {
		for entry := range list.All() {
			a := atomise(asTyped(entry))
			n := len(a.list)
			if n == 0 || a.cut {
				t.Errorf("%q is cut into %d atoms", entry, n)
				continue
			}
			if a.list[0].script == other {
				continue // looked up as it is typed
			}
			if got := a.span(0, n); got != entry {
				t.Errorf("%q is looked up as %q", entry, got)
			}
			limit := maxPhrase
			if strings.ContainsFunc(entry, script.Syllable) {
				limit = maxSyllables
			}
			if n > limit && list == vocab.Talk {
				t.Errorf("%q has %d atoms, at most %d are looked up", entry, n, limit)
			}
		}
	}
}

func TestEverySpellingLeadsToAWord(t *testing.T) {
	for w := range vocab.Spelling.All() {
		usual := vocab.Spelling.Text(w)
		if vocab.Talk.Has(w) {
			t.Errorf("%q is a word of conversation and is spelled %q before it is looked up", w, usual)
		}
		if vocab.Spelling.Has(usual) {
			t.Errorf("%q is spelled %q, which is spelled otherwise itself", w, usual)
		}
		if !vocab.Talk.Has(usual) {
			t.Errorf("%q is spelled %q, which is not a word of conversation", w, usual)
		}
	}
}

func TestEveryMistypedWordIsRecognised(t *testing.T) {
	said := map[string]bool{}
	for entry := range vocab.Talk.All() {
		for w := range strings.FieldsSeq(entry) {
			said[w] = true
		}
	}
	for w := range vocab.Mistyped.All() {
		if !said[w] && vocab.Spelling.Text(w) == "" {
			t.Errorf("no entry has the word %q", w)
		}
		slip := w[:2] + w[1:] // its second letter doubled
		if got, ok := oneSlip(slip); !ok || got != w {
			t.Errorf("oneSlip(%q) = %q, %v, want %q", slip, got, ok, w)
		}
	}
}

func TestWordsAreInLowerCase(t *testing.T) {
	for _, list := range []vocab.List{
		vocab.Pointer,
		vocab.Determiner,
		vocab.Function,
		vocab.UseVerb,
		vocab.UseArticle,
		vocab.EditWords,
		vocab.TextExtension,
		vocab.DocumentExtension,
		vocab.Memory,
		vocab.Unwilled,
	} {
		for w := range list.All() {
			if got := strings.ToLower(w); got != w {
				t.Errorf("list %s: %q is looked up as %q", vocab.Lists[list].Name, w, got)
			}
		}
	}
}

func TestEveryCraftIsFound(t *testing.T) {
	seen := map[vocab.Craft]bool{}
	for w := range vocab.Crafts.All() {
		want := craftOf(w)
		seen[want] = true
		if w[0] < utf8.RuneSelf {
			continue
		}
		if got := craftIn(w); got != want {
			t.Errorf("craftIn(%q) = %d, want %d", w, got, want)
		}
	}
	for c := vocab.LightWork; c <= vocab.Write; c++ {
		if !seen[c] {
			t.Errorf("craft %d has no word", c)
		}
	}
}

func TestEveryKoreanEditVerbIsFoundInItsForms(t *testing.T) {
	for w := range vocab.EditVerbs.All() {
		want := editVerb(w)
		if w[0] < utf8.RuneSelf {
			continue
		}
		if got := editVerbOf(w); got != want {
			t.Errorf("editVerbOf(%q) = %d, want %d", w, got, want)
		}
		for ending := range vocab.EditEnding.All() {
			if got := editVerbOf(w + ending); got != want {
				t.Errorf("editVerbOf(%q) = %d, want %d", w+ending, got, want)
			}
		}
	}
}

func TestEverySubcommandBelongsToACommand(t *testing.T) {
	families := map[string]bool{}
	for cmd := range vocab.Commands.All() {
		rule, _ := vocab.Commands.Value(cmd)
		families[vocab.Command(rule).Family()] = true
	}
	for sub := range vocab.Subcommands.All() {
		family, _, _ := strings.Cut(sub, " ")
		if !families[family] {
			t.Errorf("no command has subcommands such as %q", sub)
		}
	}
}
