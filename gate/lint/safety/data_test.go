package safety

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every pattern reports all of its bad examples and none of its good ones.
func TestPatterns(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range safety().Patterns {
		t.Run(p.ID, func(t *testing.T) {
			check := checks[p.Rule]
			if seen[p.ID] || check == nil || p.What == "" || len(p.Keywords) == 0 || len(p.Bad) == 0 || len(p.Good) == 0 {
				t.Fatalf("%+v: want an id of its own, a check, what it is, keywords and examples", p)
			}
			seen[p.ID] = true
			found := func(line string) []string {
				body := sh(line)
				if p.Prose || p.Rule == "SG511" && p.ID != "host-element" {
					body = line
				}
				var out []string
				for _, f := range (attack{body: body}).found(check) {
					out = append(out, f.Text)
				}
				return out
			}
			for _, line := range p.Bad {
				if got := found(line); !slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, p.What) }) {
					t.Errorf("%s is reported as %q, want %q", line, got, p.What)
				}
				if p.Rule != "SG509" && p.Expression().FindStringIndex(line) == nil {
					t.Errorf("%s does not match", line)
				}
			}
			for _, line := range p.Good {
				assert.Empty(t, found(line), line)
			}
			for _, w := range p.Keywords {
				assert.Equal(t, strings.ToLower(w), w)
			}
		})
	}
}

// A misspelt name in the code or a missing definition would end the program or match nothing.
func TestSafetyDataIsWhole(t *testing.T) {
	d := safety()
	assert.GreaterOrEqual(t, strings.Count(string(safetyText), "{{"), 20, "the definitions are not used")
	for name, e := range d.Expressions {
		assert.NotContains(t, e().String(), "{{", name)
	}
	for line := range strings.Lines(string(safetyText)) {
		for _, rest := range strings.Split(line, "{{")[1:] {
			name, _, _ := strings.Cut(rest, "}}")
			assert.True(t, d.Define[name] != "" || line[0] == '#' || strings.HasPrefix(line, "  - '"), line)
		}
	}
}
