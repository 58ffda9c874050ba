//go:build onnx

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
)

func TestHookStartsTheHelperAndIsReranked(t *testing.T) {
	w := newWorld(t)
	w.install()
	d := w.hook(prompt)
	plain, by := reranked(d)
	if note := noteOf(d); by || !strings.Contains(note, "no rerank helper is running") || d.Verdict != gate.Inject {
		t.Fatalf("first prompt: %v reranked %v, note %q, want BM25F's order and a note", plain, by, note)
	}
	w.ready()
	d = w.rerankedHook()
	names, _ := reranked(d)
	require.Empty(t, noteOf(d))
	assert.Greater(t, d.Ms.Rerank, float64(0))
	for i := 1; i < len(d.Candidates); i++ {
		if a, b := d.Candidates[i-1], d.Candidates[i]; b.Rerank != 0 && a.Rerank < b.Rerank {
			t.Errorf("%s (%.2f) stands before %s (%.2f)", a.Name, a.Rerank, b.Name, b.Rerank)
		}
	}
	slices.Sort(plain)
	slices.Sort(names)
	assert.Equal(t, names, plain)
	if out := w.ok("rerank", "start"); !strings.Contains(out, "ready: tiny") || !strings.Contains(out, " prompt ranked") {
		t.Errorf("rerank start = %q", out)
	}
	if got := w.checkup(); len(got) != 4 || slices.ContainsFunc(got, func(f finding) bool { return f.Status != "ok" }) {
		t.Errorf("doctor says of reranking %+v, want four times ok", got)
	}
	assert.Equal(t, "stopped the helper\n", w.ok("rerank", "stop"))
}

func TestHookOutlivesTheHelper(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.ok("rerank", "start")
	want, _ := reranked(w.rerankedHook())
	t.Run("stopped", func(t *testing.T) {
		pid := w.ready().PID
		w.freeze(pid)
		defer syscall.Kill(pid, syscall.SIGCONT)
		d := w.hook(prompt)
		if names, by := reranked(d); by || len(names) != len(want) || !strings.Contains(noteOf(d), "sent no reply within") {
			t.Errorf("hook = %v, note %q, want all without rerank", names, noteOf(d))
		}
	})
	t.Run("killed", func(t *testing.T) {
		require.NoError(t, syscall.Kill(w.ready().PID, syscall.SIGKILL))
		for len(w.helpers()) > 0 {
			time.Sleep(5 * time.Millisecond)
		}
		var d gate.Decision
		for range 20 { // an ending process may keep its socket for a moment
			d = w.hook(prompt)
			if _, by := reranked(d); by || noteOf(d) == "" {
				t.Errorf("hook was reranked %v, note %q", by, noteOf(d))
			}
			if strings.Contains(noteOf(d), "no rerank helper is running") {
				break
			}
		}
		w.ready() // the hook started the next one
	})
	t.Run("killed while it works", func(t *testing.T) {
		st := w.ready()
		go func() {
			time.Sleep(3 * time.Millisecond)
			syscall.Kill(st.PID, syscall.SIGKILL)
		}()
		for range 20 {
			w.hook(prompt) // fails the test unless the exit status is 0
		}
	})
}

func TestRacingHelpersLeaveOne(t *testing.T) {
	w := newWorld(t)
	w.install()
	c := w.client()
	args := rerank.Config{Place: c.Place, Models: filepath.Join(w.dir, ".local/state/skillgate/rerank/models")}.Args()
	require.NoError(t, c.Place.Make(os.Getuid()))
	var all []*exec.Cmd
	for range 6 {
		cmd := exec.Command(filepath.Join(binaries, "skillgate-rerank"), args...)
		cmd.Env = []string{"HOME=" + w.dir, libraryVariable + "=" + os.Getenv(libraryVariable)}
		require.NoError(t, cmd.Start())
		all = append(all, cmd)
	}
	w.ready()
	go func() {
		for _, cmd := range all {
			cmd.Wait()
		}
	}()
	for range 200 {
		if len(w.helpers()) == 1 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	assert.Equal(t, 1, len(w.helpers()))
	// A helper that finds another one running has not failed and removes the attempt.
	require.NoError(t, c.Place.SetAttempt(rerank.Attempt{Want: c.Want, Reason: rerank.Starting}))
	late := exec.Command(filepath.Join(binaries, "skillgate-rerank"), args...)
	late.Env = all[0].Env
	out, err := late.CombinedOutput()
	assert.NoError(t, err, string(out))
	a, _, ok := c.Place.LastAttempt(c.Want)
	assert.False(t, ok, "attempt %+v is left by a helper that came late", a)
	w.rerankedHook()
}

func TestInstallRefusesBadModels(t *testing.T) {
	w := newWorld(t)
	words := bertTokenizer(vocabulary(300))
	encoder := encoderShape{Layers: 1, Hidden: 32, Heads: 2, FFN: 64, Vocabulary: 300, Positions: 64, Types: true, Labels: 1}
	tests := []struct {
		name  string
		write func(dir string) error
		want  string
	}{
		{"NaN", broken("nan"), "score NaN"},
		{"allocates without end", broken("endless"), "more memory than the helper may use"},
		{"operator set of the future", broken("opset"), "exported for a newer ONNX Runtime"},
		{"weights cut short", func(dir string) error {
			s := encoder
			s.External = true
			return errors.Join(writeEncoder(dir, s, 1), os.Truncate(filepath.Join(dir, "model.onnx_data"), 5000))
		}, "load model"},
		{"tokenizer with more words than the model embeds", func(dir string) error {
			s := encoder
			s.Vocabulary = 200
			return writeEncoder(dir, s, 1)
		}, "wrong tokenizer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, errors.Join(tt.write(dir), os.WriteFile(filepath.Join(dir, "tokenizer.json"), words, 0o600)))
			_, errs, code := w.run("", "rerank", "install", dir)
			require.Equal(t, 3, code)
			assert.Contains(t, errs, tt.want)
			if names, err := model.List(filepath.Join(w.dir, ".local/state/skillgate/rerank/models")); len(names) > 0 || err != nil {
				t.Errorf("installed all the same: %v, %v", names, err)
			}
		})
	}
}

func broken(how string) func(string) error {
	return func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "model.onnx"), brokenModel(how), 0o600)
	}
}

// The model has the form of XLM-R: Unigram, no token_type_ids, two logits for each pair.
func TestUnigramModelWithTwoLabels(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.dir, "xlmr")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	f, err := os.Open("../../gate/rerank/tokenizer/testdata/unigram.json.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	shape := encoderShape{Layers: 2, Hidden: 64, Heads: 4, FFN: 128, Vocabulary: 1800, Positions: 130, Labels: 2}
	err = errors.Join(os.WriteFile(filepath.Join(dir, "tokenizer.json"), text, 0o600),
		os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"model_type":"xlm-roberta","vocab_size":1800,"max_position_embeddings":130}`), 0o600),
		writeEncoder(dir, shape, 3))
	require.NoError(t, err)
	assert.Contains(t, w.ok("rerank", "install", dir), "installed xlmr: Unigram")
	w.ok("rerank", "start")
	alone, err := w.client().Rerank(context.Background(), "리뷰 부탁", []rerank.Doc{{Name: "코드 리뷰"}, {Name: "배포"}})
	require.NoError(t, err)
	padded, err := w.client().Rerank(context.Background(), "리뷰 부탁",
		[]rerank.Doc{{Name: "코드 리뷰"}, {Name: "배포"}, {Name: "a", Description: strings.Repeat("데이터 ", 60)}})
	require.NoError(t, err)
	for i, want := range alone.Scores {
		if math.Abs(padded.Scores[i]-want) > 1e-4 {
			t.Errorf("pair %d scores %v beside a longer one, %v without: padding is not masked", i, padded.Scores[i], want)
		}
	}
}

func TestDamagedInstalledModel(t *testing.T) {
	w := newWorld(t)
	w.install()
	m, err := model.Load(filepath.Join(w.dir, ".local/state/skillgate/rerank/models"), "")
	require.NoError(t, err)
	b, err := os.ReadFile(m.ONNXFile())
	require.NoError(t, err)
	fi, _ := os.Stat(m.ONNXFile())
	for i := range b {
		b[i] ^= 0x5A
	}
	err = errors.Join(os.WriteFile(m.ONNXFile(), b, 0o600), os.Chtimes(m.ONNXFile(), fi.ModTime(), fi.ModTime()))
	require.NoError(t, err)
	w.hook(prompt)
	for range 300 {
		if a, _, ok := w.client().Place.LastAttempt(w.client().Want); ok && a.Reason != rerank.Starting {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	d := w.hook(prompt)
	require.Contains(t, noteOf(d), "damaged")
	assert.Equal(t, gate.Inject, d.Verdict)
	time.Sleep(50 * time.Millisecond)
	assert.Empty(t, w.helpers())
	if got := w.checkup(); len(got) == 0 || !strings.Contains(got[len(got)-1].Text, "SHA-256") {
		t.Errorf("doctor says of reranking %+v, want the checksum", got)
	}
}

func TestLibraryProblems(t *testing.T) {
	w := newWorld(t)
	w.install()
	text := filepath.Join(w.dir, "text.so")
	require.NoError(t, os.WriteFile(text, []byte("no library"), 0o600))
	whole, err := os.ReadFile(model.Libraries("", os.Getenv, "")[0])
	require.NoError(t, err)
	cut, other := filepath.Join(w.dir, "cut.so"), filepath.Join(w.dir, "other.so")
	const machine = 18                                                         // offset in the ELF header
	foreign := slices.Concat(whole[:machine], []byte{8, 0}, whole[machine+2:]) // MIPS
	require.NoError(t, errors.Join(os.WriteFile(cut, whole[:len(whole)/2], 0o600), os.WriteFile(other, foreign, 0o600)))
	tests := []struct{ name, library, want string }{
		{"cut short", cut, "truncated"},
		{"for another processor", other, "is built for another processor (EM_MIPS instead of "},
		{"folder without one", filepath.Join(w.dir, ".claude"), "contains no libonnxruntime for"},
		{"missing", filepath.Join(w.dir, "gone.so"), "not found"},
		{"no library", text, "no usable libonnxruntime"},
		{"another library", "libm.so.6", "OrtGetApiBase"},
	}
	if old := os.Getenv("SKILLGATE_OLD_ONNXRUNTIME"); old != "" {
		tests = append(tests, struct{ name, library, want string }{"too old", old, "1.24 or newer"})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w.env["SKILLGATE_RERANK_LIBRARY"] = tt.library
			if _, errs, code := w.run("", "rerank", "start"); code != 3 || !strings.Contains(errs, tt.want) {
				t.Errorf("rerank start = exit %d, %q, want 3 and %q", code, errs, tt.want)
			}
			d := w.hook(prompt)
			if note := noteOf(d); !strings.Contains(note, tt.want) || strings.Contains(note, "\n") || d.Verdict != gate.Inject {
				t.Errorf("hook = %s, note %q, want %q in one line", d.Verdict, note, tt.want)
			}
		})
	}
}

// The trained model ranks pairs that it has not seen and that share no words.
func TestTinyModelRanks(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.ok("rerank", "start")
	client := w.client()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "rerank", "tiny", "unseen.jsonl"))
	require.NoError(t, err)
	right, overlap, all := 0, 0, 0
	for line := range bytes.Lines(text) {
		var ex struct {
			Query string
			Docs  []string
		}
		require.NoError(t, json.Unmarshal(line, &ex))
		all++
		var docs []rerank.Doc
		most, best := -1, 0
		for i, d := range ex.Docs {
			docs = append(docs, rerank.Doc{Description: d})
			n := 0
			for _, q := range strings.Fields(ex.Query) {
				if slices.Contains(strings.Fields(d), q) {
					n++
				}
			}
			if n > most {
				most, best = n, i
			}
		}
		if best == 0 {
			overlap++
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		res, err := client.Rerank(ctx, ex.Query, docs)
		cancel()
		require.NoError(t, err)
		if slices.Index(res.Scores, slices.Max(res.Scores)) == 0 {
			right++
		}
	}
	t.Logf("right first: %d of %d, by shared words %d", right, all, overlap)
	assert.GreaterOrEqual(t, right, 85)
}

func TestRerankBench(t *testing.T) {
	w := newWorld(t)
	w.install()
	var gold strings.Builder
	for i, p := range [][2]string{{"review the legal contract", "contract-review"},
		{"write the release notes", "release-notes"}, {"plan the database migration", "db-migration"},
		{"build slides from this outline", "slide-deck"}, {"group these error logs", "log-triage"}, {"send the invoice by email", "invoice-mailer"}} {
		fmt.Fprintf(&gold, `{"id":"p%d","query":%q,"gold":[%q]}`+"\n", i, p[0], p[1])
	}
	w.write("gold.jsonl", gold.String())
	reranked := func(enabled string) (share float64, measured bool) {
		t.Helper()
		var table struct {
			Rows []struct {
				Cells map[string]struct{ Mean float64 }
			}
		}
		out := w.ok("bench", "--prompts", filepath.Join(w.dir, "gold.jsonl"), "--library", filepath.Join(w.dir, ".claude/skills"),
			"--json", "--set", "rerank.enabled="+enabled)
		require.NoError(t, json.Unmarshal([]byte(out), &table))
		cell, measured := table.Rows[0].Cells["reranked"]
		return cell.Mean, measured
	}
	share, measured := reranked("false")
	assert.False(t, measured, "off: %.2f are reranked", share)
	if share, _ := reranked("true"); share == 0 {
		t.Error("on: no prompt is reranked")
	}
}
