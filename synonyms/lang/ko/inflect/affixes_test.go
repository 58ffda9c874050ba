package inflect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/synonyms/internal/table"
)

func TestGrammarIsRead(t *testing.T) {
	rules, err := parseGrammar(affixesText)
	require.NoError(t, err)
	to := map[string]bool{"start": true}
	for _, r := range rules {
		if len(r.After) == 0 || len(r.Forms) == 0 || r.Cost == 0 || r.Cost > 63 {
			t.Errorf("rule %+v, want states, forms and a cost of 1 to 63", r)
		}
		to[r.To] = true
	}
	for _, name := range []string{"particle", "base", "vowel", "inf", "joint", "modifier", "nominal", "closed", "prefix"} {
		if !to[name] {
			t.Errorf("no rule leads to %s", name)
		}
	}
	assert.Len(t, states, int(table.States))
}

func TestParseGrammarRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a state that is not there", "rules:\n  - {after: [start], to: end, cost: 1, forms: [a]}", `"end"`},
		{"a condition that is not there", "rules:\n  - {after: [start], to: base, if: rain, forms: [a]}", `"rain"`},
		{"another key", "rules:\n  - {from: [start]}", "from"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseGrammar([]byte(tt.text))
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
