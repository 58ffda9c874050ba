package vocab_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/synonyms/internal/compile"
	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func sources(t *testing.T) *compile.Lists {
	t.Helper()
	lists, err := compile.Read(os.DirFS(".."))
	require.NoError(t, err)
	return lists
}

func TestTableIsCurrent(t *testing.T) {
	have, err := os.ReadFile("table.bin")
	require.NoError(t, err)
	if want := sources(t).Table(); !slices.Equal(have, want) {
		t.Errorf("table.bin has %d bytes, the sources make %d others: run go generate ./synonyms/lang/vocab", len(have),
			len(want))
	}
}

func TestEveryWordIsFoundWithItsValue(t *testing.T) {
	for l, entries := range sources(t) {
		list := vocab.List(l)
		if len(entries) == 0 {
			t.Errorf("list %s has no words", compile.Specs[l].Name)
		}
		i := 0
		for w := range list.All() {
			if i >= len(entries) || w != entries[i].Word {
				t.Fatalf("word %d of list %s is %q", i, compile.Specs[l].Name, w)
			}
			i++
		}
		if i != len(entries) {
			t.Errorf("list %s has %d words, want %d", compile.Specs[l].Name, i, len(entries))
		}
		for _, e := range entries {
			value, ok := list.Value(e.Word)
			if !ok || e.Text == "" && value != e.Value || e.Text != "" && list.Text(e.Word) != e.Text {
				t.Errorf("%s:%d: Value(%q) = %d, %v and text %q, want %d and %q", e.File, e.Line, e.Word, value, ok,
					list.Text(e.Word), e.Value, e.Text)
			}
			for _, other := range []string{e.Word + "\x00", e.Word[:len(e.Word)-1] + "\x00"} {
				if list.Has(other) {
					t.Errorf("list %s has %q", compile.Specs[l].Name, other)
				}
			}
		}
	}
}

func TestAWordIsOfItsListOnly(t *testing.T) {
	require.False(t, vocab.Stop.Has("push"), "a list has the words of another")
	assert.False(t, vocab.Crafts.Has("the"), "a list has the words of another")
	require.False(t, vocab.Stop.Has(""), "words that are nowhere are found")
	assert.Empty(t, vocab.Talk.Text("no such word"), "words that are nowhere are found")
}

func TestComparingWithText(t *testing.T) {
	if rest, ok := vocab.QuestionLead.CutPrefix("tell me what it is"); rest != "what it is" || !ok {
		t.Errorf("CutPrefix = %q, %v", rest, ok)
	}
	if rest, ok := vocab.And.CutSuffix("배포하고나서"); rest != "배포하" || !ok {
		t.Errorf("CutSuffix = %q, %v", rest, ok)
	}
	if rest, ok := vocab.And.CutSuffix("file"); rest != "file" || ok {
		t.Errorf("CutSuffix = %q, %v of a word without ending", rest, ok)
	}
	require.True(t, vocab.Forbidden.In("그건 쓰지 마"), "In finds what forbids where nothing does, or not where something does")
	assert.False(t, vocab.Forbidden.In("배포"), "In finds what forbids where nothing does, or not where something does")
}

func BenchmarkValue(b *testing.B) {
	for b.Loop() {
		vocab.Talk.Value("좋은것같아요")
		vocab.Talk.Value("배포")
	}
}
