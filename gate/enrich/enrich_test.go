package enrich

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var day = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func sample() Expansion {
	return Expansion{
		ID: "personal/pdf", Name: "pdf", Hash: "9c1e",
		Phrases: []Phrase{
			{Kind: "en", Text: "pull the table out of this scan"},
			{Kind: "id", Text: "ambil tabel dari pdf"},
			{Kind: "ko", Text: "스캔한 문서에서 표만 뽑아줘"},
			{Kind: "ko", Text: "이거 정리해줘"},
			{Kind: Keywords, Text: "표 추출"},
		},
		Schema: Schema, Provider: "claude", Model: "m-1", Prompt: 1, Date: day,
	}
}

func TestExpansionLine(t *testing.T) {
	line, err := marshal(sample())
	require.NoError(t, err)
	const want = `{"id":"personal/pdf","name":"pdf","hash":"9c1e",` +
		`"schema":1,"provider":"claude","model":"m-1","prompt":1,"date":"2026-03-01T09:00:00Z",` +
		`"requests":{"id":["ambil tabel dari pdf"]},"en":["pull the table out of this scan"],` +
		`"ko":["스캔한 문서에서 표만 뽑아줘","이거 정리해줘"],"kw":["표 추출"]}`
	assert.Equal(t, want, string(line))
	var back Expansion
	require.NoError(t, json.Unmarshal(line, &back))
	assert.Empty(t, cmp.Diff(sample(), back))
}

func TestReadLine(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		err        string
	}{
		{"lines of others", `{"id":"a","ko":["표를 뽑아줘"],"en":["get the table"],"kw":["표"]}`, []string{"get the table", "표를 뽑아줘", "표"}, ""},
		{"keywords are one text", `{"id":"a","kw":["표","추출"]}`, []string{"표, 추출"}, ""},
		{"near misses of older versions", `{"id":"a","en":["one"],"not":[{"text":"two","skill":"b"}]}`, []string{"one"}, ""},
		{"unknown keys", `{"id":"a","en":["one"],"colour":"red","XX":["two"]}`, []string{"one"}, ""},
		{"no id", `{"en":["one"]}`, nil, "id is missing"},
		{"text instead of a list", `{"id":"a","en":"one"}`, nil, "en must be a list of strings"},
		{"cut off", `{"id":"a","en":["one"`, nil, "unexpected end of JSON input"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var x Expansion
			err := json.Unmarshal([]byte(tt.text), &x)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err, tt.text)
			assert.Empty(t, cmp.Diff(tt.want, x.Texts()))
		})
	}
}

// A line is the same after it was read, written and read again.
func FuzzExpansion(f *testing.F) {
	line, _ := marshal(sample())
	f.Add(line)
	f.Add([]byte(`{"id":"a","learned":[{"text":"x","count":2}],"date":"2026-01-01T00:00:00Z"}`))
	f.Add([]byte(`{"id":"a","en":["x","x"],"requests":{"en":["y"],"":["z"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var x, again Expansion
		if json.Unmarshal(text, &x) != nil {
			return
		}
		line, err := marshal(x)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(line, &again))
		if diff := cmp.Diff(x.Texts(), again.Texts()); diff != "" && !repeats(x) {
			t.Fatalf("texts of %q differ after writing (-before +after):\n%s", text, diff)
		}
	})
}

// repeats reports whether an expansion has a text twice or a kind that is not a language. Such lines need not survive
// writing.
func repeats(x Expansion) bool {
	seen := map[string]bool{}
	for _, p := range x.Phrases {
		if seen[p.Text] || p.Kind != Keywords && !isLanguage(p.Kind) {
			return true
		}
		seen[p.Text] = true
	}
	return false
}
