package enrichment

import (
	"strings"
	"testing"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/enrich"
)

func TestOffer(t *testing.T) {
	as := func(text string) string { return text }
	skills := []enrich.Skill{{ID: "a", Name: "kettle", Description: "Boils water."}, {ID: "b", Name: "mill", Description: "Grinds coffee."}}
	for _, tt := range []struct {
		name            string
		skills          []enrich.Skill
		provider, model string
		want, not       string
	}{
		{"nothing to ask", nil, "claude", "", "every skill has one (7)", "token"},
		{"the provider's own model", skills, "claude", "", "skills without: 2; `skillgate enrich` asks claude (sonnet) once",
			"file"},
		{"a price that is known", skills, "claude", "opus", "at list price", "sonnet"},
		{"a price that is not", skills, "openai", "qwen", "asks openai (qwen)", "$"},
	} {
		s := gate.Default()
		s.Enrich.Provider, s.Enrich.Model = tt.provider, tt.model
		got := offer(as, 7, tt.skills, s)
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%s: %q, want %q and no %q", tt.name, got, tt.want, tt.not)
		}
	}
}
