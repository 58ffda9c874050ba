package index

import (
	"testing"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

func TestBigramsAreThoseOfBleve(t *testing.T) {
	type part struct {
		text string
		han  bool
		gap  int // bytes before the token
	}
	tests := []struct {
		name  string
		parts []part
	}{
		{"nothing", nil},
		{"no Han", []part{{"red", false, 0}, {"fox", false, 1}}},
		{"one character", []part{{"山", true, 0}}},
		{"two characters", []part{{"山川", true, 0}}},
		{"many", []part{{"山川草木", true, 0}}},
		{"one character between words", []part{{"red", false, 0}, {"山", true, 1}, {"fox", false, 1}}},
		{"neighbouring tokens", []part{{"山", true, 0}, {"川", true, 0}, {"草木", true, 0}}},
		{"tokens apart", []part{{"山", true, 0}, {"川草", true, 1}, {"木", true, 2}}},
		{"a word right after", []part{{"山川", true, 0}, {"fox", false, 0}, {"木", true, 0}}},
		{"four bytes", []part{{"𠀀𠀁山", true, 0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stream := func() analysis.TokenStream {
				var out analysis.TokenStream
				at := 0
				for i, p := range tt.parts {
					tok := &analysis.Token{Term: []byte(p.text), Start: at + p.gap, End: at + p.gap + len(p.text), Position: i + 1, Type: LatinToken}
					if p.han {
						tok.Type = analysis.Ideographic
					}
					out, at = append(out, tok), tok.End
				}
				return out
			}
			got, want := bigrams(stream()), cjk.NewCJKBigramFilter(false).Filter(stream())
			assert.Empty(t, cmp.Diff(want, got))
			for _, tok := range got {
				assert.True(t, utf8.Valid(tok.Term), "token %q is not UTF-8", tok.Term)
			}
		})
	}
}
