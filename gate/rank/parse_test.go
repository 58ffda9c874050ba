package rank

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/source"
)

func (r ranked) said(prompt string) (words []string) {
	for _, c := range r.Parse(prompt).Concepts {
		words = append(words, c.Text)
	}
	return words
}

func TestParse(t *testing.T) {
	r := over(t, nil)
	for _, tt := range []struct {
		name, prompt string
		has, lacks   string // words
	}{
		{"a phrase that begins with a word of grammar", "where can i buy a kettle", "shop kettl", ""},
		{"a phrase inside a link", "open https://example.org/where/can/i/buy", "", "shop"},
		{"a text file's extension", "tidy README.md and package.json", "readm packag", "md json"},
		{"a document's extension", "sign contract.pdf", "contract pdf", ""},
		{"an extension by itself", "convert md to html", "md html", ""},
		{"words of grammar of another language", "necesito que el usuario de la base pueda entrar en el sistema", "usuario sistema", "el de la en que"},
		{"a foreign word in English", "the de facto rule of la Scala", "de la", ""},
		{"auxiliary 주다", "회의록 정리해 주세요", "회의록", "주다"},
		{"a day of the week", "금요일 회의록", "금요일", "요일"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			words := r.said(tt.prompt)
			for _, w := range strings.Fields(tt.has) {
				assert.Contains(t, words, w, tt.prompt)
			}
			for _, w := range strings.Fields(tt.lacks) {
				assert.NotContains(t, words, w, tt.prompt)
			}
		})
	}
}

// A headword of the user's dictionary counts as the user's in every spelling.
func TestUsersWordsAreTheirs(t *testing.T) {
	parsed, err := source.Parse(source.File{Name: "user.yaml", Data: []byte("korean:\n  단위 테스트: {en: [mallet]}\n  쿠헬바움: {en: [mallet]}\n")})
	require.NoError(t, err)
	user, err := synonyms.Open(string(parsed.Compile()))
	require.NoError(t, err)
	x, err := index.Memory(t.Context(), nil, synonyms.Default().With(user), nil)
	require.NoError(t, err)
	r := New(index.Join(x), x.Dict, DefaultWeights())
	for _, prompt := range []string{"단위 테스트 해줘", "단위테스트 해줘", "쿠헬바움 해줘"} {
		assert.True(t, slices.ContainsFunc(r.Parse(prompt).Concepts, func(c Concept) bool { return c.Own }), prompt)
	}
}
