package rerank

import (
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/rerank"
)

// Reranking is turned on only where hit@1 gets better by more than chance explains, and
// nothing worse by more than that.
func TestJudge(t *testing.T) {
	measure := func(name string, low, high float64) bench.Difference {
		return bench.Difference{Measure: name, Low: low, High: high}
	}
	for _, tt := range []struct {
		name     string
		reranked int // of 100 prompts
		measures []bench.Difference
		on       bool
		advice   string
	}{
		{"better for sure", 100, []bench.Difference{measure("hit@1", .01, .09)}, true, "turn it on"},
		{"better by chance", 100, []bench.Difference{measure("hit@1", -.01, .09)}, false, "not better by more than chance"},
		{"another measure is better", 100, []bench.Difference{measure("hit@1", -.01, .09), measure("MRR", .01, .02)}, false, "not better"},
		{"worse for sure", 100, []bench.Difference{measure("hit@1", -.09, -.01)}, false, "hit@1 gets worse"},
		{"better and worse", 100, []bench.Difference{measure("hit@1", .01, .09), measure("MRR@10", -.09, -.01)}, false, "MRR@10 gets worse"},
		{"more siblings shown", 100, []bench.Difference{measure("hit@1", .01, .09), measure("HSR@5", .01, .09)}, false, "HSR@5 gets worse"},
		{"fewer siblings shown", 100, []bench.Difference{measure("hit@1", .01, .09), measure("HSR@5", -.09, -.01)}, true, "turn it on"},
		{"no time", 9, []bench.Difference{measure("hit@1", .01, .09)}, false, "it had no time"},
		{"nothing measured", 100, nil, false, "not better"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := report{Prompts: 100, Reranked: tt.reranked, Measures: tt.measures}
			r.judge()
			if r.TurnOn != tt.on || !strings.Contains(r.Advice, tt.advice) {
				t.Errorf("judge says %v, %q, want %v, %q", r.TurnOn, r.Advice, tt.on, tt.advice)
			}
		})
	}
}

func TestMilliseconds(t *testing.T) {
	var outcomes []bench.Outcome
	for i := range 100 {
		outcomes = append(outcomes, bench.Outcome{Ms: float64(100 - i)})
	}
	if got := milliseconds(outcomes); got.Median != 51 || got.P95 != 96 {
		t.Errorf("of 1 to 100: %+v, want 51 and 96", got)
	}
	if got := milliseconds(nil); got != (quantiles{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	r := report{Model: "minilm", Prompts: 6, Reranked: 4, Without: map[string]int{"no time": 2}, Advice: "leave it off",
		Measures: []bench.Difference{{Task: "search", Measure: "hit@1", N: 6, Before: .5, After: .667, Delta: .167, Low: -.1, High: .4}}}
	if err := r.print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"minilm on 6 prompts, 4 reranked\n", "not reranked, 2 times: no time\n", "+0.167", "-0.100 to +0.400", "leave it off\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it prints\n%s\nwant %q", b.String(), want)
		}
	}
}

func TestStatusAndStop(t *testing.T) {
	h := apptest.New(t)
	if code, message := h.Status(New(h.App), "status"); code != 0 && !strings.Contains(message+h.Out.String(), "no") {
		t.Errorf("without a helper status ends with %d, %q %q", code, message, h.Out.String())
	}
	apptest.StartHelper(t, h, gate.Default(), rerank.Status{Ready: true, Model: "minilm", PID: 7, Ranked: 12})
	if out, err := h.Run(New(h.App), "status"); err != nil || !strings.Contains(out, "minilm") || !strings.Contains(out, "12") {
		t.Errorf("with one status prints %q, %v", out, err)
	}
	if out, err := h.Run(New(h.App), "status", "--json"); err == nil && !strings.Contains(out, "minilm") {
		t.Errorf("status --json prints %q", out)
	}
}

func TestWrongUsage(t *testing.T) {
	h := apptest.New(t)
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"no labels", `"gold" not set`, []string{"bench"}},
		{"a file that is not there", "none.jsonl", []string{"bench", "--gold", "none.jsonl"}},
		{"nothing to install", "accepts 1 arg", []string{"install"}},
		{"a folder without a model", "", []string{"install", h.Dir}},
		{"an unknown command", "", []string{"warm"}},
	} {
		if code, message := h.Status(New(h.App), tt.args...); code != 3 && tt.name != "an unknown command" || !strings.Contains(message, tt.want) {
			t.Errorf("%s: rerank %v ends with %d, %q", tt.name, tt.args, code, message)
		}
	}
}
