//go:build onnx

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/rerank"
)

// TestTimings prints what reranking costs and holds the least of some runs against
// the limits that the design sets: the machine's other work is not in it.
//
//	SKILLGATE_TIMINGS=1 go test -tags onnx -run TestTimings -v ./cmd/skillgate-rerank
func TestTimings(t *testing.T) {
	if os.Getenv("SKILLGATE_TIMINGS") == "" {
		t.Skip("SKILLGATE_TIMINGS is not set: timings need a quiet machine")
	}
	w := newWorld(t)
	delete(w.env, "SKILLGATE_RERANK_DEADLINE_MS")
	multilingual := multilingualMiniLM
	shapes := map[string]encoderShape{"minilm": miniLM, "multilingual": multilingual}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer table.Flush()
	for _, name := range []string{"minilm", "multilingual"} {
		shape := shapes[name]
		dir := filepath.Join(w.dir, name)
		tok := bertTokenizer(vocabulary(int(shape.Vocabulary)), true)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "tokenizer.json"), tok, 0o600))
		require.NoError(t, writeEncoder(dir, shape, 5))
		w.ok("rerank", "install", dir)
		os.RemoveAll(dir)
		w.env["SKILLGATE_RERANK_MODEL"] = name
		var load []float64
		for range 8 {
			w.ok("rerank", "start")
			load = append(load, w.ready().LoadMs)
			w.ok("rerank", "stop")
		}
		w.ok("rerank", "start")
		five, ten := w.latency(5), w.latency(10)
		rss := float64(w.ready().RSS) / (1 << 20)
		size := float64(weight(t, w, name)) / (1 << 20)
		fmt.Fprintf(table, "%s (%.0f MB)\tstart %s ms\t5×128 %s ms\t10×128 %s ms\tRSS %.0f MB\n", name, size, minMedian(load), minMedian(five), minMedian(ten), rss)
		assert.LessOrEqual(t, rss, 2*size+60, name)
		if name == "minilm" {
			assert.LessOrEqual(t, slices.Min(load), float64(300))
			assert.LessOrEqual(t, slices.Min(ten), float64(130))
		}
		w.ok("rerank", "stop")
	}
	w.hookTimings(t, table)
}

// latency returns milliseconds for pairs of 128 tokens, asked of the helper itself.
func (w *world) latency(pairs int) []float64 {
	w.t.Helper()
	var docs []rerank.Doc
	for range pairs {
		docs = append(docs, rerank.Doc{Name: "w1", Description: strings.Repeat("w2 w3 w4 ", 60)})
	}
	client := w.client()
	var out []float64
	for len(out) < 20 {
		ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
		start := time.Now()
		res, err := client.Rerank(ctx, strings.Repeat("w5 ", 60), docs)
		cancel()
		if err != nil {
			w.t.Logf("latency: %v", err)
			time.Sleep(100 * time.Millisecond)
			continue
		}
		require.Equal(w.t, pairs, len(res.Scores))
		out = append(out, float64(time.Since(start).Microseconds())/1000)
	}
	return out
}

func weight(t *testing.T, w *world, name string) int64 {
	t.Helper()
	var sum int64
	files, err := filepath.Glob(filepath.Join(w.dir, ".local/state/skillgate/rerank/models", name, "model.onnx*"))
	require.NoError(t, err)
	for _, file := range files {
		fi, err := os.Stat(file)
		require.NoError(t, err)
		sum += fi.Size()
	}
	return sum
}

// hookTimings compares whole hook processes, taken in turn.
func (w *world) hookTimings(t *testing.T, table *tabwriter.Writer) {
	w.env["SKILLGATE_RERANK_MODEL"] = "minilm"
	took := map[string][]float64{}
	var inside []float64
	measure := func(name string, n int) {
		for range n {
			d, wall := w.hook(prompt)
			took[name] = append(took[name], float64(wall.Microseconds())/1000)
			if name == "warm" && noteOf(d) == "" {
				inside = append(inside, took[name][len(took[name])-1]-d.Ms.Rerank)
			}
		}
	}
	states := []string{"plain", "dead", "hung", "slow", "warm"}
	for range 10 {
		for _, state := range states {
			w.env["SKILLGATE_RERANK_ENABLED"], w.env["SKILLGATE_RERANK_DEADLINE_MS"] = "true", "1000"
			switch state {
			case "plain":
				w.env["SKILLGATE_RERANK_ENABLED"] = "false"
				measure(state, 3)
			case "dead":
				require.NoError(t, w.client().Place.SetAttempt(rerank.Attempt{Want: w.client().Want, Reason: "test"}))
				measure(state, 3)
			case "hung":
				w.ok("rerank", "start")
				pid := w.ready().PID
				w.freeze(pid)
				measure(state, 3)
				syscall.Kill(pid, syscall.SIGCONT)
			case "slow":
				w.env["SKILLGATE_RERANK_DEADLINE_MS"] = "5" // less than any pair takes
				measure(state, 3)
			case "warm":
				measure(state, 3)
				w.ok("rerank", "stop")
			}
		}
	}
	plain := median(took["plain"])
	for _, state := range states {
		over := median(took[state]) - plain
		fmt.Fprintf(table, "hook, helper %s\t%s ms\tover plain %+.1f ms\t\n", state, minMedian(took[state]), over)
		if limit := 25.0; state != "warm" && min(over, slices.Min(took[state])-slices.Min(took["plain"])) > limit {
			t.Errorf("hook with a %s helper takes %.1f ms more than plain, limit %.0f", state, over, limit)
		}
	}
	if len(inside) > 0 {
		fmt.Fprintf(table, "hook, helper warm, without the reranking itself\t%s ms\tover plain %+.1f ms\t\n", minMedian(inside), median(inside)-plain)
		assert.LessOrEqual(t, slices.Min(inside)-slices.Min(took["plain"]), float64(3))
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func minMedian(v []float64) string { return fmt.Sprintf("%.1f/%.1f", slices.Min(v), median(v)) }
