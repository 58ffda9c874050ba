package inflect

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/synonyms/internal/hangul"
	"github.com/skillgate/skillgate/synonyms/internal/table"
)

func forms(word string) map[table.Kind][]string {
	out := map[table.Kind][]string{}
	for _, s := range Surfaces(word) {
		out[s.Kind] = append(out[s.Kind], s.Letters)
	}
	return out
}

func letters(s string) string { return string(hangul.Codes(nil, s)) }

// The stems of regular verbs and of each irregular kind, to which endings are added.
func TestConjugation(t *testing.T) {
	for _, tt := range []struct {
		name, word            string
		base, vowel, infinite string // "" is not checked
	}{
		{"an open stem", "고치다", "고치", "고치", "고쳐"},
		{"하다", "배포하다", "배포하", "배포하", "배포해"},
		{"a stem in ㄹ", "만들다", "만들", "만드", "만들어"},
		{"a regular stem in ㅂ", "뽑다", "뽑", "뽑으", "뽑아"},
		{"an irregular one", "돕다", "돕", "도우", "도와"},
		{"an irregular one in 워", "굽다", "굽", "구우", "구워"},
		{"an irregular stem in ㄷ", "듣다", "듣", "들으", "들어"},
		{"a regular stem in ㄷ", "받다", "받", "받으", "받아"},
		{"an irregular stem in ㅅ", "짓다", "짓", "지으", "지어"},
		{"a regular stem in ㅅ", "씻다", "씻", "씻으", "씻어"},
		{"르 doubles", "고르다", "고르", "고르", "골라"},
		{"르 that does not", "따르다", "따르", "따르", "따라"},
		{"르 to 러", "푸르다", "푸르", "푸르", "푸르러"},
		{"으 falls out", "쓰다", "쓰", "쓰", "써"},
		{"a regular stem in ㅎ", "넣다", "넣", "넣으", "넣어"},
		{"우 and 어", "바꾸다", "바꾸", "바꾸", "바꿔"},
		{"오 and 아", "보다", "보", "보", "봐"},
		{"a stem in 내", "보내다", "보내", "보내", "보내"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := forms(tt.word)
			for kind, want := range map[table.Kind]string{table.Base: tt.base, table.Vowel: tt.vowel, table.Infinite: tt.infinite} {
				assert.Contains(t, got[kind], letters(want), "%s has no form %s of kind %d", tt.word, want, kind)
			}
		})
	}
}

func TestNounsAndVerbs(t *testing.T) {
	for word, verb := range map[string]bool{
		"고치다": true, "배포하다": true, "싹 갈다": true, "바다": false, "캐나다": false, "베란다": false, "배포": false, "다": false, "REST다": false,
	} {
		assert.Equal(t, verb, Verb(word), "IsVerb(%s) = %v", word, !verb)
	}
	assert.Equal(t, []string{letters("배포")}, forms("배포")[table.Noun])
	assert.Equal(t, []string{letters("표")}, forms("표")[table.Short])
	assert.Nil(t, Surfaces(""))
}

func TestVerbsAreRead(t *testing.T) {
	var read stems
	dec := yaml.NewDecoder(bytes.NewReader(verbsText))
	dec.KnownFields(true)
	require.NoError(t, dec.Decode(&read))
	lists := reflect.ValueOf(read)
	for i := range lists.NumField() {
		if lists.Field(i).Len() == 0 {
			t.Errorf("%s is empty", lists.Type().Field(i).Tag.Get("yaml"))
		}
	}
}
