package index

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func prose(subject string, n int) []string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Step %d: take the %s%d, turn it by %d degrees and note what %s says. ", i, subject, i, i*7, subject)
	}
	return strings.Fields(b.String())
}

func TestFamilies(t *testing.T) {
	long, other := prose("valve", 40), prose("sonnet", 40)
	edited := append([]string{}, long...)
	edited[200] = "slowly"
	description, elsewhere := sign(strings.Fields("opens and closes a valve by the book, for plumbers")),
		sign(strings.Fields("judges sonnets by metre and rhyme, for poets of all ages"))
	tests := []struct {
		name string
		a, b signed
		want bool
	}{
		{"copies", signed{text: sign(long), description: description}, signed{text: sign(long), description: description}, true},
		{"a word changed in a long text", signed{text: sign(long), description: description}, signed{text: sign(edited), description: description}, true},
		{"other texts", signed{text: sign(long), description: description}, signed{text: sign(other), description: elsewhere}, false},
		{"one template, other descriptions", signed{text: sign(long), description: description}, signed{text: sign(long), description: elsewhere}, false},
		{"no text", signed{}, signed{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := tt.a, tt.b
			assignFamilies([]*signed{&a, &b})
			if got := a.family != 0 && a.family == b.family; got != tt.want {
				t.Errorf("assignFamilies gives %d and %d (texts differ in %d bits, descriptions in %d), want one family: %v",
					a.family, b.family, a.text.distance(b.text), a.description.distance(b.description), tt.want)
			}
		})
	}
}

func TestFamiliesKeepTheirNumbers(t *testing.T) {
	s := signed{text: sign(prose("valve", 40)), description: sign(strings.Fields("opens and closes a valve"))}
	old, copied := s, s
	old.family = 41
	far := signed{text: sign(prose("sonnet", 40)), description: sign(strings.Fields("judges sonnets"))}
	again := far
	assignFamilies([]*signed{&old, &copied, &far, &again})
	require.Equal(t, uint32(41), copied.family)
	assert.Equal(t, uint32(41), old.family)
	if far.family == 41 || far.family == 0 || far.family != again.family {
		t.Errorf("assignFamilies gives other copies %d and %d, want a number of their own", far.family, again.family)
	}
}

// sign is the definition of the SimHash over word triples.
func sign(words []string) (s signature) {
	var weight [64]int
	for i := range words {
		h := fnv.New64a()
		for _, word := range words[i:min(i+3, len(words))] {
			h.Write([]byte(word + "\x00"))
		}
		x := h.Sum64()
		x = (x ^ x>>33) * 0xff51afd7ed558ccd
		x ^= x >> 33
		for b := range weight {
			weight[b] += int(x>>b&1)*2 - 1
		}
	}
	for b, w := range weight {
		if w > 0 {
			s |= 1 << b
		}
	}
	return s
}

func TestSignatureIsThatOfTheWords(t *testing.T) {
	texts := []string{
		"", " ", "one", "One two", "one  two\tthree", "Ünder  ÄRGER\u00a0İstanbul \u212a \u0085 x", "이 파일을 PDF로 바꿔줘", "cut \xed\x95",
		"\xff\xfe a", "a\v\fb\r\nc", strings.Repeat("the same again ", 70_000),
	}
	files, err := filepath.Glob("../../testdata/library/*/SKILL.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	for i, text := range texts {
		before := texts[(i+1)%len(texts)]
		var s signer
		s.text(before)
		s.text(text)
		words := append(strings.Fields(strings.ToLower(before)), strings.Fields(strings.ToLower(text))...)
		if got, want := s.signature(), sign(words); got != want || s.words != len(words) {
			t.Errorf("%.60q after %.60q: %x of %d words, want %x of %d", text, before, got, s.words, want, len(words))
		}
	}
}
