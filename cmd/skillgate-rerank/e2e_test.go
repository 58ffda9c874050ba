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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
	"github.com/skillgate/skillgate/gate/rerank/testmodel"
)

// These tests run the real programs on the real libonnxruntime. ONNXRUNTIME_LIB
// names it, or npm's onnxruntime-node folder; without it they are skipped.
const libraryVariable = "ONNXRUNTIME_LIB"

var binaries string // folder of the programs under test

func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	if os.Getenv(libraryVariable) == "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("/tmp", "sgb")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, args := range [][]string{
		{"build", "-o", filepath.Join(dir, "skillgate"), "../skillgate"},
		{"build", "-tags", "onnx", "-o", filepath.Join(dir, "skillgate-rerank"), "."},
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go %v: %v\n%s", args, err, out)
			return 1
		}
	}
	binaries = dir
	return m.Run()
}

// world is a user with a home of their own.
type world struct {
	t   testing.TB
	dir string
	env map[string]string
	n   int // prompts so far
}

func newWorld(t testing.TB) *world {
	t.Helper()
	if os.Getenv(libraryVariable) == "" || binaries == "" {
		t.Skipf("%s is not set: no libonnxruntime to test with", libraryVariable)
	}
	dir, err := os.MkdirTemp("/tmp", "sgw") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, env: map[string]string{
		"HOME": dir, "PATH": os.Getenv("PATH"), libraryVariable: os.Getenv(libraryVariable),
		"SKILLGATE_RERANK_ENABLED": "true", "SKILLGATE_RERANK_DEADLINE_MS": "1000", "SKILLGATE_NEED_MIN": "0", "SKILLGATE_SCORE_MIN": "0",
	}}
	t.Cleanup(func() {
		w.noStrays()
		os.RemoveAll(dir)
	})
	for name, text := range map[string]string{
		"contract-review": "Reviews legal contracts clause by clause for policy risk.",
		"release-notes":   "Writes release notes and a changelog from merged branches.",
		"api-docs":        "Writes the manual of a REST api from its openapi endpoint list.",
		"invoice-mailer":  "Sends an invoice by email and tracks the payment.",
		"db-migration":    "Plans a database schema migration and its way back.",
		"slide-deck":      "Builds a presentation with slides from an outline.",
		"log-triage":      "Reads error logs and traces and groups them by cause.",
		"meeting-notes":   "Turns a meeting recording into a summary and a schedule.",
	} {
		w.write(filepath.Join(".claude/skills", name, "SKILL.md"), fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n# Steps\n\n%s\n", name, text, text))
	}
	w.ok("index")
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	file := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// run runs skillgate.
func (w *world) run(stdin string, args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	cmd := exec.Command(filepath.Join(binaries, "skillgate"), args...)
	cmd.Dir = w.dir
	for k, v := range w.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// ok runs skillgate, which must succeed, and returns what it prints.
func (w *world) ok(args ...string) string {
	w.t.Helper()
	out, errs, code := w.run("", args...)
	if code != 0 {
		w.t.Fatalf("skillgate %v: exit %d\n%s%s", args, code, out, errs)
	}
	return out
}

// hook gives a prompt to the hook and returns the decision it logged and how long
// the process ran.
func (w *world) hook(prompt string) (gate.Decision, time.Duration) {
	w.t.Helper()
	w.n++
	in, _ := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "prompt": prompt, "session_id": fmt.Sprint("s", w.n), "cwd": w.dir})
	start := time.Now()
	_, errs, code := w.run(string(in), "hook")
	took := time.Since(start)
	if code != 0 || errs != "" {
		w.t.Fatalf("hook: exit %d, stderr %q", code, errs)
	}
	b, err := os.ReadFile(filepath.Join(w.dir, ".local/state/skillgate/journal.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	var record struct{ Decision gate.Decision }
	if err := json.Unmarshal(lines[len(lines)-1], &record); err != nil {
		w.t.Fatal(err)
	}
	return record.Decision, took
}

const prompt = "please review the api contract and its endpoint manual"

// install installs the small trained cross-encoder.
func (w *world) install() {
	w.t.Helper()
	dir, err := filepath.Abs("../../testdata/rerank/tiny")
	if err != nil {
		w.t.Fatal(err)
	}
	w.ok("rerank", "install", dir)
}

func (w *world) client() *rerank.Client {
	cache, state := filepath.Join(w.dir, ".cache/skillgate"), filepath.Join(w.dir, ".local/state/skillgate")
	c := rerank.Config{
		Place:  rerank.Locate(func(string) string { return "" }, cache, os.Getuid()),
		Models: filepath.Join(state, "rerank/models"), Model: w.env["SKILLGATE_RERANK_MODEL"], Library: w.env["SKILLGATE_RERANK_LIBRARY"],
	}
	client := c.Client()
	client.Silence = 5 * time.Second // a busy machine is no dead helper
	return client
}

// helpers returns the helper processes of this world.
func (w *world) helpers() []int {
	var out []int
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil // no /proc on this system
	}
	for _, e := range entries {
		b, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if pid, err := strconv.Atoi(e.Name()); err == nil && bytes.Contains(b, []byte("skillgate-rerank\x00")) && bytes.Contains(b, []byte(w.dir)) {
			out = append(out, pid)
		}
	}
	return out
}

// noStrays stops the helper and makes sure that no other is left.
func (w *world) noStrays() {
	_ = w.client().Stop(5 * time.Second) // where one runs
	for range 100 {
		if len(w.helpers()) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	w.t.Errorf("stray helpers: %v", w.helpers())
	for _, pid := range w.helpers() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// reranked returns the names in order and whether a model had its say.
func reranked(d gate.Decision) (names []string, by bool) {
	for _, c := range d.Candidates {
		names = append(names, c.Name)
		by = by || c.Rerank != 0
	}
	return names, by
}

func noteOf(d gate.Decision) string {
	for _, n := range d.Notes {
		if strings.HasPrefix(n, gate.RerankNote) {
			return n
		}
	}
	return ""
}

// rerankedHook gives the prompt to the hook until a model has its say: on a busy
// machine the helper may be too slow for one.
func (w *world) rerankedHook() gate.Decision {
	w.t.Helper()
	var d gate.Decision
	for range 20 {
		d, _ = w.hook(prompt)
		if _, by := reranked(d); by {
			return d
		}
	}
	w.t.Fatalf("not reranked: %q", noteOf(d))
	return d
}

// ready waits for the helper that a hook started.
func (w *world) ready() rerank.Status {
	w.t.Helper()
	for range 600 {
		if st, err := w.client().Status(time.Second); err == nil && st.Ready {
			return st
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatalf("no helper became ready: %s", w.ok("rerank", "status"))
	return rerank.Status{}
}

// freeze stops a process and returns once all its threads stand still.
func (w *world) freeze(pid int) {
	w.t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		w.t.Fatal(err)
	}
	for range 500 {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid)) // the pattern is well formed
		running := slices.ContainsFunc(tasks, func(file string) bool {
			b, err := os.ReadFile(file)
			return err == nil && !bytes.Contains(b, []byte("\nState:\tT"))
		})
		if !running {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	w.t.Fatalf("process %d does not stop", pid)
}

func TestHookStartsTheHelperAndIsReranked(t *testing.T) {
	w := newWorld(t)
	w.install()
	d, _ := w.hook(prompt)
	plain, by := reranked(d)
	if note := noteOf(d); by || !strings.Contains(note, "no rerank helper runs") || d.Verdict != gate.Inject {
		t.Fatalf("first prompt: %v reranked %v, note %q, want BM25F's order and a note", plain, by, note)
	}
	w.ready()
	d = w.rerankedHook()
	names, _ := reranked(d)
	if noteOf(d) != "" || d.Ms.Rerank <= 0 {
		t.Errorf("reranked prompt: note %q, %v ms", noteOf(d), d.Ms.Rerank)
	}
	for i := 1; i < len(d.Candidates); i++ {
		if a, b := d.Candidates[i-1], d.Candidates[i]; b.Rerank != 0 && a.Rerank < b.Rerank {
			t.Errorf("%s (%.2f) stands before %s (%.2f)", a.Name, a.Rerank, b.Name, b.Rerank)
		}
	}
	slices.Sort(plain)
	slices.Sort(names)
	if !slices.Equal(plain, names) {
		t.Errorf("reranked names %v, plain %v, want the same set", names, plain)
	}
	if out := w.ok("rerank", "status"); !strings.Contains(out, "ready: tiny") || !strings.Contains(out, " prompts ranked") {
		t.Errorf("rerank status = %q", out)
	}
	if out := w.ok("rerank", "check"); strings.Count(out, "✓") != 4 {
		t.Errorf("rerank check = %q, want four ticks", out)
	}
	if out := w.ok("rerank", "stop"); out != "stopped\n" {
		t.Errorf("rerank stop = %q", out)
	}
}

// The prompt gets its answer, in BM25F's order, whatever becomes of the helper.
func TestHookOutlivesTheHelper(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.ok("rerank", "start")
	want, _ := reranked(w.rerankedHook())
	t.Run("stopped", func(t *testing.T) {
		pid := w.ready().PID
		w.freeze(pid)
		defer syscall.Kill(pid, syscall.SIGCONT)
		d, _ := w.hook(prompt)
		if names, by := reranked(d); by || len(names) != len(want) || !strings.Contains(noteOf(d), "silent for") {
			t.Errorf("hook = %v, note %q, want all without rerank", names, noteOf(d))
		}
	})
	t.Run("killed", func(t *testing.T) {
		if err := syscall.Kill(w.ready().PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		for len(w.helpers()) > 0 {
			time.Sleep(5 * time.Millisecond)
		}
		var d gate.Decision
		for range 20 { // a process that ends may hold its socket for a moment
			d, _ = w.hook(prompt)
			if _, by := reranked(d); by || noteOf(d) == "" {
				t.Errorf("hook was reranked %v, note %q", by, noteOf(d))
			}
			if strings.Contains(noteOf(d), "no rerank helper runs") {
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
			w.hook(prompt) // fails the test on any exit status but 0
		}
	})
}

func TestRacingHelpersLeaveOne(t *testing.T) {
	w := newWorld(t)
	w.install()
	c := w.client()
	args := rerank.Config{Place: c.Place, Models: filepath.Join(w.dir, ".local/state/skillgate/rerank/models")}.Args()
	if err := c.Place.Make(os.Getuid()); err != nil {
		t.Fatal(err)
	}
	var all []*exec.Cmd
	for range 6 {
		cmd := exec.Command(filepath.Join(binaries, "skillgate-rerank"), args...)
		cmd.Env = []string{"HOME=" + w.dir, libraryVariable + "=" + os.Getenv(libraryVariable)}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
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
	if n := len(w.helpers()); n != 1 {
		t.Errorf("%d helpers run, want 1", n)
	}
	// One that comes late has not failed: what it was started with is taken back.
	if err := c.Place.SetAttempt(rerank.Attempt{Want: c.Want, Reason: rerank.Starting}); err != nil {
		t.Fatal(err)
	}
	late := exec.Command(filepath.Join(binaries, "skillgate-rerank"), args...)
	late.Env = all[0].Env
	if out, err := late.CombinedOutput(); err != nil {
		t.Errorf("helper beside a running one: %v, %s", err, out)
	}
	if a, _, ok := c.Place.LastAttempt(c.Want); ok {
		t.Errorf("attempt %+v is left by a helper that came late", a)
	}
	w.rerankedHook()
}

func TestInstallRefusesBadModels(t *testing.T) {
	w := newWorld(t)
	words := testmodel.BERTTokenizer(testmodel.Words(300), true)
	encoder := testmodel.Shape{Layers: 1, Hidden: 32, Heads: 2, FFN: 64, Vocabulary: 300, Positions: 64, Types: true, Labels: 1}
	tests := []struct {
		name  string
		write func(dir string) error
		want  string
	}{
		{"NaN", broken("nan"), "gave the score NaN"},
		{"allocates without end", broken("endless"), "more memory than the helper may have"},
		{"operator set of the future", broken("opset"), "exported for a newer ONNX Runtime"},
		{"input that no tokenizer gives", broken("input"), `input "pixel_values"`},
		{"three labels", broken("labels"), "no reranker"},
		{"cut short", func(dir string) error {
			b := testmodel.Broken("")
			return os.WriteFile(filepath.Join(dir, "model.onnx"), b[:len(b)-20], 0o600)
		}, "not an ONNX model"},
		{"weights cut short", func(dir string) error {
			s := encoder
			s.External = true
			return errors.Join(testmodel.Encoder(dir, s, 1), os.Truncate(filepath.Join(dir, "model.onnx_data"), 5000))
		}, "load model"},
		{"tokenizer with more words than the model embeds", func(dir string) error {
			s := encoder
			s.Vocabulary = 200
			return testmodel.Encoder(dir, s, 1)
		}, "wrong tokenizer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := errors.Join(tt.write(dir), os.WriteFile(filepath.Join(dir, "tokenizer.json"), words, 0o600)); err != nil {
				t.Fatal(err)
			}
			_, errs, code := w.run("", "rerank", "install", dir)
			if code != 3 || !strings.Contains(errs, tt.want) {
				t.Errorf("rerank install = exit %d, %q, want 3 and %q", code, errs, tt.want)
			}
			if names, err := model.List(filepath.Join(w.dir, ".local/state/skillgate/rerank/models")); len(names) > 0 || err != nil {
				t.Errorf("installed all the same: %v, %v", names, err)
			}
		})
	}
}

func broken(how string) func(string) error {
	return func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "model.onnx"), testmodel.Broken(how), 0o600)
	}
}

// XLM-R's shape: Unigram, no token_type_ids, two logits a pair.
func TestUnigramModelWithTwoLabels(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.dir, "xlmr")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../../gate/rerank/tokenizer/testdata/unigram.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	shape := testmodel.Shape{Layers: 2, Hidden: 64, Heads: 4, FFN: 128, Vocabulary: 1800, Positions: 130, Labels: 2}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "tokenizer.json"), text, 0o600),
		os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"model_type":"xlm-roberta","vocab_size":1800,"max_position_embeddings":130}`), 0o600),
		testmodel.Encoder(dir, shape, 3)); err != nil {
		t.Fatal(err)
	}
	if out := w.ok("rerank", "install", dir); !strings.Contains(out, "installed xlmr: Unigram") {
		t.Errorf("rerank install = %q", out)
	}
	w.ok("rerank", "start")
	alone, err := w.client().Rerank(context.Background(), "리뷰 부탁", []rerank.Doc{{Name: "코드 리뷰"}, {Name: "배포"}})
	if err != nil {
		t.Fatal(err)
	}
	padded, err := w.client().Rerank(context.Background(), "리뷰 부탁", []rerank.Doc{{Name: "코드 리뷰"}, {Name: "배포"}, {Name: "a", Description: strings.Repeat("데이터 ", 60)}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range alone.Scores {
		if math.Abs(padded.Scores[i]-want) > 1e-4 {
			t.Errorf("pair %d scores %v beside a longer one, %v without: padding is not masked", i, padded.Scores[i], want)
		}
	}
}

// A model that goes bad once it is installed costs one note, and is not started
// again for every prompt.
func TestDamagedInstalledModel(t *testing.T) {
	w := newWorld(t)
	w.install()
	m, err := model.Load(filepath.Join(w.dir, ".local/state/skillgate/rerank/models"), "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(m.ONNXFile())
	if err != nil {
		t.Fatal(err)
	}
	fi, _ := os.Stat(m.ONNXFile())
	for i := range b {
		b[i] ^= 0x5A
	}
	if err := errors.Join(os.WriteFile(m.ONNXFile(), b, 0o600), os.Chtimes(m.ONNXFile(), fi.ModTime(), fi.ModTime())); err != nil {
		t.Fatal(err)
	}
	w.hook(prompt)
	for range 300 {
		if a, _, ok := w.client().Place.LastAttempt(w.client().Want); ok && a.Reason != rerank.Starting {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	d, _ := w.hook(prompt)
	if note := noteOf(d); !strings.Contains(note, "damaged") || d.Verdict != gate.Inject {
		t.Errorf("hook = %s, note %q, want the reason", d.Verdict, note)
	}
	time.Sleep(50 * time.Millisecond)
	if n := w.helpers(); len(n) > 0 {
		t.Errorf("started again: %v", n)
	}
	if out, _, code := w.run("", "rerank", "check"); code != 1 || !strings.Contains(out, "SHA-256") {
		t.Errorf("rerank check = exit %d, %q, want 1 and the checksum", code, out)
	}
}

func TestLibraryProblems(t *testing.T) {
	w := newWorld(t)
	w.install()
	text := filepath.Join(w.dir, "text.so")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(model.Libraries("", os.Getenv, "")[0])
	if err != nil {
		t.Fatal(err)
	}
	cut, other := filepath.Join(w.dir, "cut.so"), filepath.Join(w.dir, "other.so")
	const machine = 18                                                         // of the ELF header
	foreign := slices.Concat(whole[:machine], []byte{8, 0}, whole[machine+2:]) // MIPS
	if err := errors.Join(os.WriteFile(cut, whole[:len(whole)/2], 0o600), os.WriteFile(other, foreign, 0o600)); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, library, want string }{
		{"cut short", cut, "cut short"},
		{"for another processor", other, "is for another processor (EM_MIPS)"},
		{"folder without one", filepath.Join(w.dir, ".claude"), "holds no libonnxruntime for"},
		{"missing", filepath.Join(w.dir, "gone.so"), "not found"},
		{"no library", text, "no usable libonnxruntime"},
		{"another library", "libm.so.6", "OrtGetApiBase"},
	}
	if old := os.Getenv("SKILLGATE_OLD_ONNXRUNTIME"); old != "" {
		tests = append(tests, struct{ name, library, want string }{"too old", old, "want 1.24 or newer"})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w.env["SKILLGATE_RERANK_LIBRARY"] = tt.library
			if _, errs, code := w.run("", "rerank", "start"); code != 3 || !strings.Contains(errs, tt.want) {
				t.Errorf("rerank start = exit %d, %q, want 3 and %q", code, errs, tt.want)
			}
			d, _ := w.hook(prompt)
			if note := noteOf(d); !strings.Contains(note, tt.want) || strings.Contains(note, "\n") || d.Verdict != gate.Inject {
				t.Errorf("hook = %s, note %q, want %q in one line", d.Verdict, note, tt.want)
			}
		})
	}
}

// The trained model ranks pairs it has not seen, whose words do not meet.
func TestTinyModelRanks(t *testing.T) {
	w := newWorld(t)
	w.install()
	w.ok("rerank", "start")
	client := w.client()
	right, overlap := 0, 0
	examples := testmodel.Examples(4711, 100, 8)
	for _, ex := range examples {
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
		if err != nil {
			t.Fatal(err)
		}
		if slices.Index(res.Scores, slices.Max(res.Scores)) == 0 {
			right++
		}
	}
	t.Logf("right first: %d of %d, by shared words %d", right, len(examples), overlap)
	if right < 85 {
		t.Errorf("the trained model puts the right document first in %d of %d, want 85", right, len(examples))
	}
}

func TestRerankBench(t *testing.T) {
	w := newWorld(t)
	w.install()
	var gold strings.Builder
	for i, p := range [][2]string{{"review the legal contract", "contract-review"}, {"write the release notes", "release-notes"}, {"plan the database migration", "db-migration"},
		{"build slides from this outline", "slide-deck"}, {"group these error logs", "log-triage"}, {"send the invoice by email", "invoice-mailer"}} {
		fmt.Fprintf(&gold, `{"id":"p%d","query":%q,"gold":[%q]}`+"\n", i, p[0], p[1])
	}
	w.write("gold.jsonl", gold.String())
	out := w.ok("rerank", "bench", "--gold", filepath.Join(w.dir, "gold.jsonl"), "--library", filepath.Join(w.dir, ".claude/skills"))
	for _, want := range []string{"tiny on 6 prompts", "hit@1", "MRR", "leave it off", "milliseconds"} {
		if !strings.Contains(out, want) {
			t.Errorf("rerank bench lacks %q:\n%s", want, out)
		}
	}
}
