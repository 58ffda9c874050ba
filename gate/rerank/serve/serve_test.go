package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/tokenizer"
)

func wordTokenizer(t testing.TB, words ...string) *tokenizer.Tokenizer {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/rerank/tiny/tokenizer.json")
	require.NoError(t, err)
	var doc map[string]any
	require.NoError(t, json.Unmarshal(text, &doc))
	vocab := map[string]int{"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}
	for c := byte('!'); c < 0x7F; c++ {
		vocab[string(c)] = len(vocab)
		vocab["##"+string(c)] = len(vocab)
	}
	for _, w := range words {
		vocab[w] = len(vocab)
	}
	doc["model"].(map[string]any)["vocab"] = vocab
	text, err = json.Marshal(doc)
	require.NoError(t, err)
	table, err := tokenizer.Compile(text)
	require.NoError(t, err)
	tok, err := tokenizer.New(table)
	require.NoError(t, err)
	return tok
}

// lengths is a model that scores a row by its number of tokens without padding.
func lengths(rows []tokenizer.Pair) ([]float64, error) {
	out := make([]float64, len(rows))
	for i, r := range rows {
		for _, typ := range r.Types {
			if typ != Padding {
				out[i]++
			}
		}
	}
	return out, nil
}

type running struct {
	client *rerank.Client
	err    chan error
	cancel context.CancelFunc
	abort  *atomic.Int32
}

func start(t *testing.T, score func([]tokenizer.Pair) ([]float64, error), change func(*Config)) running {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sgs") // the path of a socket must be short
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	tok := wordTokenizer(t, "review", "release", "notes")
	r := running{err: make(chan error, 1), abort: new(atomic.Int32)}
	c := Config{
		Place: rerank.Place{Dir: dir}, Want: "w", Version: "test", UID: os.Getuid(), Idle: time.Minute, Start: time.Now(),
		Load: func() (*Model, error) {
			return &Model{Name: "m", Scale: 1, MaxTokens: 512, Tokenizer: tok, Score: score}, nil
		},
		Stuck: time.Minute, Abort: func() { r.abort.Add(1) },
		RSS: func() int64 { return 1 },
	}
	if change != nil {
		change(&c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	r.client = &rerank.Client{Place: c.Place, Want: "w", UID: os.Getuid(), Silence: 5 * time.Second} // on a busy machine a helper may be slow
	done := make(chan struct{})
	go func() {
		r.err <- Run(ctx, c)
		close(done)
	}()
	t.Cleanup(func() { cancel(); <-done })
	for {
		select {
		case <-done: // some tests use a server that does not become ready
			return r
		case <-time.After(5 * time.Millisecond):
			if st, err := r.client.Status(time.Minute); err == nil && st.Ready {
				return r
			}
		}
	}
}

func docs(names ...string) []rerank.Doc {
	var out []rerank.Doc
	for _, n := range names {
		out = append(out, rerank.Doc{Name: n, Description: "review notes"})
	}
	return out
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestServerRanksInTheOrderOfTheRequest(t *testing.T) {
	r := start(t, lengths, nil)
	res, err := r.client.Rerank(within(t, time.Minute), "review", docs("a", "a b c", "a b", "a b c d", "a", "a b c d e", "a b"))
	require.NoError(t, err)
	want := []float64{7, 9, 8, 10, 7, 11, 8}
	require.Equal(t, want, res.Scores)
	assert.Equal(t, float64(1), res.Scale)
	st, err := r.client.Status(time.Minute)
	if err != nil || st.Ranked != 1 || st.Model != "m" || st.PID != os.Getpid() || st.MsPerToken <= 0 {
		t.Errorf("Status = %+v, %v", st, err)
	}
}

func TestServerSurvivesItsModel(t *testing.T) {
	measured := func(bad func([]tokenizer.Pair) ([]float64, error)) func([]tokenizer.Pair) ([]float64, error) {
		var calls atomic.Int32
		return func(rows []tokenizer.Pair) ([]float64, error) {
			if calls.Add(1) <= 2 {
				return lengths(rows)
			}
			return bad(rows)
		}
	}
	tests := []struct {
		name     string
		score    func([]tokenizer.Pair) ([]float64, error)
		want     string
		deadline time.Duration
	}{
		{"NaN", func([]tokenizer.Pair) ([]float64, error) { return []float64{1, math.NaN()}, nil }, "score NaN", time.Minute},
		{"infinite", func([]tokenizer.Pair) ([]float64, error) { return []float64{1, math.Inf(1)}, nil }, "score +Inf", time.Minute},
		{"too few", func([]tokenizer.Pair) ([]float64, error) { return []float64{1}, nil }, "1 scores for 2 pairs", time.Minute},
		{"error", func([]tokenizer.Pair) ([]float64, error) { return nil, errors.New("bad_alloc") }, "bad_alloc", time.Minute},
		{"slow", func(rows []tokenizer.Pair) ([]float64, error) {
			time.Sleep(300 * time.Millisecond)
			return lengths(rows)
		}, "did not reply before the deadline", 150 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, measured(tt.score), nil)
			_, err := r.client.Rerank(within(t, tt.deadline), "q", docs("a", "b"))
			assert.ErrorContains(t, err, tt.want)
			_, err = r.client.Status(time.Minute)
			assert.NoError(t, err)
		})
	}
}

// If the model is known to be too slow, the helper refuses at once.
func TestServerRefusesWhatItCannotDo(t *testing.T) {
	r := start(t, func(rows []tokenizer.Pair) ([]float64, error) {
		time.Sleep(300 * time.Millisecond) // several milliseconds for each token
		return lengths(rows)
	}, nil)
	long := rerank.Doc{Name: "a", Passage: strings.Repeat("review notes ", 200)}
	least := time.Hour
	for range 5 {
		began := time.Now()
		_, err := r.client.Rerank(within(t, 125*time.Millisecond), "q", []rerank.Doc{long, long, long})
		assert.ErrorContains(t, err, "too slow")
		least = min(least, time.Since(began))
	}
	if least > 75*time.Millisecond {
		t.Errorf("a refusal takes %v, want it at once", least)
	}
}

func TestFitAdaptsToSpeedAndBudget(t *testing.T) {
	tok := wordTokenizer(t, "w")
	m := &Model{MaxTokens: 512, Tokenizer: tok}
	long := text{query: make([]int32, 10), name: make([]int32, 3), description: make([]int32, 60), contract: make([]int32, 20), passage: make([]int32, 200)}
	texts := slices.Repeat([]text{long}, 20)
	tests := []struct {
		name         string
		ms, budget   float64
		pairs, limit int
	}{
		{"fast machine takes all", 0.05, 200, 20, 128},
		{"half the speed halves the pairs", 0.1, 200, 13, 128},
		{"fewer tokens before fewer than five pairs", 0.3, 200, 5, 96},
		{"then fewer still", 0.5, 200, 5, 64},
		{"then fewer pairs", 0.8, 200, 3, 64},
		{"then none", 3, 200, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan, ok := fit(texts, m, tt.ms, tt.budget)
			limit := 0
			if len(plan) > 0 {
				limit = longest(plan)
			}
			if len(plan) != tt.pairs || limit != tt.limit || ok != (tt.pairs > 0) {
				t.Errorf("fit(%v ms a token, %v ms) = %d pairs of %d tokens, want %d of %d", tt.ms, tt.budget, len(plan), limit, tt.pairs, tt.limit)
			}
			if ok && cost(plan)*tt.ms > tt.budget {
				t.Errorf("the plan costs %v ms, budget %v", cost(plan)*tt.ms, tt.budget)
			}
		})
	}
}

func TestPairKeepsNameAndContract(t *testing.T) {
	tok := wordTokenizer(t, "w")
	ids := func(v int32, n int) []int32 { return slices.Repeat([]int32{v}, n) }
	tests := []struct {
		name  string
		text  text
		limit int
		want  map[int32]int // number of tokens of each part
	}{
		{"everything fits", text{ids(11, 4), ids(12, 2), ids(13, 20), ids(14, 5), ids(15, 30)}, 128, map[int32]int{11: 4, 12: 2, 13: 20, 14: 5, 15: 30}},
		{"description and passage share what is left", text{ids(11, 10), ids(12, 3), ids(13, 300), ids(14, 12),
			ids(15, 300)}, 128, map[int32]int{11: 10, 12: 3, 13: 50, 14: 12, 15: 50}},
		{"a short description leaves its room", text{ids(11, 10), ids(12, 3), ids(13, 20), ids(14, 12), ids(15, 300)}, 128,
			map[int32]int{11: 10, 12: 3, 13: 20, 14: 12, 15: 80}},
		{"a long query keeps its ends", text{append(ids(11, 100), ids(16, 100)...), ids(12, 3), ids(13, 300), nil, nil}, 128,
			map[int32]int{11: 35, 16: 11, 12: 3, 13: 76}},
		{"a long contract takes half", text{ids(11, 10), ids(12, 3), ids(13, 300), ids(14, 300), ids(15, 300)}, 128,
			map[int32]int{11: 10, 12: 3, 13: 29, 14: 54, 15: 29}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.text.pair(tok, tt.limit)
			got := map[int32]int{}
			for _, id := range p.IDs {
				if id > 10 {
					got[id]++
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) || len(p.IDs) > tt.limit {
				t.Errorf("pair = %v tokens, %d in all, want %v within %d", got, len(p.IDs), tt.want, tt.limit)
			}
		})
	}
}

func TestOneHelperAUser(t *testing.T) {
	r := start(t, lengths, nil)
	var again sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		again.Add(1)
		go func() {
			defer again.Done()
			errs[i] = Run(context.Background(), Config{Place: r.client.Place, Want: "w", UID: os.Getuid(), Idle: time.Minute,
				Load: func() (*Model, error) { return nil, errors.New("loaded") }})
		}()
	}
	again.Wait()
	for _, err := range errs {
		assert.ErrorIs(t, err, ErrRunning)
	}
	_, err := r.client.Rerank(within(t, time.Minute), "q", docs("a", "b"))
	assert.NoError(t, err)
}

func TestHelperLeaves(t *testing.T) {
	gone := func(t *testing.T, r running) {
		t.Helper()
		select {
		case err := <-r.err:
			assert.NoError(t, err)
		case <-time.After(time.Minute):
			t.Fatal("helper stays")
		}
		_, err := os.Lstat(r.client.Place.Socket())
		assert.ErrorIs(t, err, os.ErrNotExist)
	}
	t.Run("when told to", func(t *testing.T) {
		r := start(t, lengths, nil)
		assert.NoError(t, r.client.Stop(time.Minute))
		gone(t, r)
	})
	t.Run("for a client with other settings", func(t *testing.T) {
		r := start(t, lengths, nil)
		r.client.Want = "other"
		_, err := r.client.Rerank(within(t, time.Minute), "q", docs("a", "b"))
		assert.ErrorContains(t, err, "other settings")
		gone(t, r)
	})
	t.Run("for a client of another version", func(t *testing.T) {
		r := start(t, lengths, nil)
		conn, err := net.Dial("unix", r.client.Place.Socket())
		require.NoError(t, err)
		defer conn.Close()
		rerank.Write(conn, rerank.Request{V: rerank.Version + 1, Op: rerank.OpRank, Want: "w"})
		gone(t, r)
	})
	t.Run("when idle", func(t *testing.T) {
		gone(t, start(t, lengths, func(c *Config) { c.Idle = time.Millisecond }))
	})
}

func TestModelThatDoesNotComeBackEndsTheHelper(t *testing.T) {
	var calls atomic.Int32
	over := make(chan struct{})
	r := start(t, func(rows []tokenizer.Pair) ([]float64, error) {
		if calls.Add(1) > 2 { // after the measurement
			<-over
		}
		return lengths(rows)
	}, func(c *Config) { c.Stuck = 300 * time.Millisecond })
	t.Cleanup(func() { close(over) })
	go r.client.Rerank(within(t, time.Minute), "q", docs("a", "b"))
	for range 4000 {
		if r.abort.Load() > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	assert.Equal(t, int32(1), r.abort.Load())
	_, err := r.client.Rerank(within(t, 2*time.Second), "q", docs("a", "b"))
	assert.ErrorContains(t, err, "busy")
}

func TestFailedLoadIsLeftForTheNextHook(t *testing.T) {
	r := start(t, lengths, func(c *Config) {
		c.Load = func() (*Model, error) { return nil, errors.New("no usable libonnxruntime") }
	})
	assert.Error(t, <-r.err, "Run = nil, want why the model did not load")
	r.err <- nil
	if a, _, ok := r.client.Place.LastAttempt("w"); !ok || a.Reason != "no usable libonnxruntime" {
		t.Errorf("LastAttempt = %+v, %v", a, ok)
	}
	if _, err := r.client.Rerank(within(t, time.Minute), "q", docs("a", "b")); !errors.Is(err, rerank.ErrNoHelper) || !strings.Contains(err.Error(), "no usable") {
		t.Errorf("Rerank = %v, want ErrNoHelper with the reason", err)
	}
}

func TestServerIgnoresStrangersAndNonsense(t *testing.T) {
	r := start(t, lengths, nil)
	for _, send := range []string{"", "\n", `{"v":1,"want":"w","op":"format"}` + "\n",
		`{"v":1,"want":"w","op":"rank"}` + "\n", strings.Repeat("x", rerank.MaxLine+1), "{}\n"} {
		conn, err := net.Dial("unix", r.client.Place.Socket())
		require.NoError(t, err)
		conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		conn.Write([]byte(send))
		conn.Read(make([]byte, 100))
		conn.Close()
	}
	// "{}" has another version, so the helper must exit, without an error.
	select {
	case err := <-r.err:
		assert.NoError(t, err)
		r.err <- nil
	case <-time.After(time.Minute):
		t.Error("helper stayed for a client of version 0")
	}
}
