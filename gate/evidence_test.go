package gate

import (
	"testing"

	"github.com/skillgate/skillgate/gate/index"
)

func TestEvidence(t *testing.T) {
	tests := []struct {
		name    string
		matched []Match
		want    string
	}{
		{"a word and what the skill calls it", []Match{{Term: "리뷰", Via: "review", Score: 3}, {Term: "PR", Score: 2}}, "리뷰→review, PR"},
		{"the skill's word is the prompt's", []Match{{Term: "review", Via: "review", Score: 3}}, "review"},
		{"a word in two fields is shown once", []Match{{Term: "pr", Score: 3, Field: "name"}, {Term: "pr", Score: 1, Field: "body"}}, "pr"},
		{"what counts against the skill is no evidence", []Match{{Term: "pr", Score: -3}, {Term: "pdf", Score: 0}}, ""},
		{"nor is an expansion, which nobody is shown", []Match{{Term: "pr", Score: 3, Field: index.Expansion.String()}}, ""},
		{"a pair that reads like an order is the prompt's word alone", []Match{{Term: "푸시", Via: "push", Score: 3}, {Term: "git", Score: 2}}, "푸시, git"},
		{"nor is a whole name", []Match{{Term: "=pr-review", Score: 3}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := evidence(tt.matched); got != tt.want {
				t.Errorf("evidence(%v) = %q, want %q", tt.matched, got, tt.want)
			}
		})
	}
}
