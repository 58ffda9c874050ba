package gate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/triage"
)

type judge struct {
	scores []float64
	err    error
	docs   []rerank.Doc
	left   time.Duration
}

func (j *judge) Rerank(ctx context.Context, _ string, docs []rerank.Doc) (rerank.Result, error) {
	j.docs = docs
	if at, ok := ctx.Deadline(); ok {
		j.left = time.Until(at)
	}
	return rerank.Result{Scores: j.scores, Scale: 1}, j.err
}

func scored(scores ...float64) []candidate {
	var out []candidate
	for i, s := range scores {
		out = append(out, candidate{Candidate: Candidate{Name: string(rune('a' + i)), Score: s}, doc: index.Doc{Description: "d"}})
	}
	return out
}

func TestRerankOrdersWhatPasses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Settings)
		judge  judge
		scores []float64
		want   string
		note   string
	}{
		{"the model overtakes a near second", nil, judge{scores: []float64{0, 9, 0}}, []float64{10, 9.5, 7}, "bac", ""},
		{"score_min keeps its meaning", func(s *Settings) { s.ScoreMin = 8 }, judge{scores: []float64{-9, 0, 9}}, []float64{10, 9, 7}, "bac", ""},
		{"what was not scored stays behind", nil, judge{scores: []float64{-9, 9, -9}}, []float64{10, 9.5, 9.4, 9.39}, "bacd", ""},
		{"turned off", func(s *Settings) { s.Rerank.Enabled = false }, judge{scores: []float64{-9, 9}}, []float64{10, 9}, "ab", ""},
		{"no share in the order", func(s *Settings) { s.Rerank.Blend = 0 }, judge{scores: []float64{-9, 9}}, []float64{10, 9}, "ab", ""},
		{"an error leaves the order and one note", nil, judge{err: errors.New("helper went away")}, []float64{10, 9}, "ab", "not reranked: helper went away"},
		{"no scores leave the order", nil, judge{}, []float64{10, 9}, "ab", ""},
		{"one candidate is not asked about", nil, judge{err: errors.New("asked")}, []float64{10}, "a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Default()
			s.ScoreMin, s.Rerank.Enabled = 0, true
			if tt.change != nil {
				tt.change(&s)
			}
			g := &Gate{Settings: s, Reranker: &tt.judge}
			var d Decision
			in := scored(tt.scores...)
			var names []string
			for _, c := range (&run{g, prompted, &d}).rerank(context.Background(), in) {
				names = append(names, c.Name)
				assert.Equal(t, tt.scores[c.Name[0]-'a'], c.Score, c.Name)
			}
			if got := strings.Join(names, ""); got != tt.want || strings.Join(d.Notes, "|") != tt.note {
				t.Errorf("rerank(%v) with %v = %s, notes %q, want %s, %q", tt.scores, tt.judge.scores, got, d.Notes, tt.want, tt.note)
			}
		})
	}
}

var prompted = Request{Prompt: triage.Prompt{Text: "p"}}

func TestRerankAfterTheDeadlineIsANote(t *testing.T) {
	s := Default()
	s.Rerank.Enabled = true
	j := &judge{scores: []float64{0, 9}}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var d Decision
	got := (&run{&Gate{Settings: s, Reranker: j}, prompted, &d}).rerank(ctx, scored(10, 9))
	if got[0].Name != "a" || j.docs != nil || len(d.Notes) != 1 || !strings.HasPrefix(d.Notes[0], RerankNote) {
		t.Errorf("rerank after the deadline = %s first, %d documents asked about, notes %q, want a first, none, and why", got[0].Name, len(j.docs), d.Notes)
	}
}

func TestRerankAsksAboutTheHeadWithinItsDeadline(t *testing.T) {
	file := filepath.Join(t.TempDir(), "SKILL.md")
	must(t, os.WriteFile(file, []byte("---\nname: a\ninputs: a ledger\n---\n\nFirst.\n\nReads the statement.\n"), 0o600))
	s := Default()
	s.Rerank.Enabled, s.Rerank.Pairs, s.Rerank.DeadlineMs = true, 3, 300
	j := &judge{}
	g := &run{&Gate{Settings: s, Reranker: j}, prompted, &Decision{}}
	list := scored(9, 8, 7, 6, 5)
	list[0].Path = file
	list[0].Matched = []Match{{Term: "명세서", Via: "statement", Score: 2}}
	var ctx context.Context
	synctest.Test(t, func(t *testing.T) { // the clock moves only while everything waits
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond) // the rest of deadline_ms
		defer cancel()
		g.rerank(ctx, list)
	})
	if len(j.docs) != 3 || j.docs[0].Passage != "Reads the statement." || j.docs[0].Contract != "inputs: a ledger" || j.docs[0].Description != "d" {
		t.Errorf("asked about %+v, want three documents, the first with its passage and contract", j.docs)
	}
	assert.Equal(t, 300*time.Millisecond, j.left)
	j.docs = nil
	if g.rerank(ctx, list); j.docs != nil {
		t.Error("asked after the hook's deadline")
	}
	g.Reranker = nil
	if got := g.rerank(context.Background(), list); !slices.EqualFunc(got, list, func(a, b candidate) bool { return a.Name == b.Name }) {
		t.Error("without a reranker the order changed")
	}
}
