package gate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
)

func TestMissing(t *testing.T) {
	match := func(term string, f index.Field, score float64) rank.Match {
		return rank.Match{Term: term, Field: f, Score: score}
	}
	tests := []struct {
		name       string
		rich, poor []rank.Match
		want       []rank.Match
	}{
		{"a concept the poor one does not know", []rank.Match{match("scan", index.Expansion, 2)}, nil, []rank.Match{match("scan", index.Expansion, 2)}},
		{"what both know is not lent", []rank.Match{match("scan", index.Expansion, 2), match("scan", index.Name, 1)},
			[]rank.Match{match("scan", index.Name, 3)}, nil},
		{"as much as makes both the same", []rank.Match{match("scan", index.Expansion, 2), match("scan", index.Name, 1)},
			[]rank.Match{match("scan", index.Name, 1.5)}, []rank.Match{match("scan", index.Expansion, 1.5)}},
		{"two parts of one concept", []rank.Match{match("scan", index.Expansion, 2), match("scan", index.Expansion, 1)}, nil,
			[]rank.Match{match("scan", index.Expansion, 3)}},
		{"nothing from other fields", []rank.Match{match("scan", index.Name, 2)}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := missing(tt.rich, tt.poor)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("missing(%v, %v) differs (-want +got):\n%s", tt.rich, tt.poor, diff)
			}
		})
	}
}
