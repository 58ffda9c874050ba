package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
	"github.com/skillgate/skillgate/gate/rerank/model"
)

// fakeHelper answers in the place of skillgate-rerank and keeps what it is asked.
type fakeHelper struct {
	mu     sync.Mutex
	status rerank.Status
	asked  []rerank.Request
}

// startFakeHelper listens where the helper of p's user would.
func startFakeHelper(t *testing.T, p *place, s gate.Settings, status rerank.Status) *fakeHelper {
	t.Helper()
	d, err := p.env.places()
	if err != nil {
		t.Fatal(err)
	}
	c := p.env.helper(d, s).Config()
	if err := c.Place.Make(os.Getuid()); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", c.Place.Socket())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(); os.RemoveAll(c.Place.Dir) })
	h := &fakeHelper{status: status}
	h.status.Want = c.Want()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			h.answer(conn)
		}
	}()
	return h
}

func (h *fakeHelper) answer(conn net.Conn) {
	defer conn.Close()
	var req rerank.Request
	if rerank.Read(rerank.NewReader(conn), &req) != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	reply := rerank.Reply{V: rerank.Version, Kind: rerank.State, Status: &h.status}
	if req.Op == rerank.OpRank {
		h.asked = append(h.asked, req)
		reply = rerank.Reply{V: rerank.Version, Kind: rerank.Scores, Scale: 1}
		for i := range req.Docs {
			reply.Scores = append(reply.Scores, float64(i))
		}
	}
	_ = rerank.Write(conn, reply) // the client may have left
}

// take returns what the helper was asked since the last call.
func (h *fakeHelper) take() []rerank.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

// A skill reads the same to a model whether it is a folder or a line of a file.
func TestRerankBenchShowsAModelTheBodiesOfLibraryFiles(t *testing.T) {
	skills := map[string][2]string{
		"bank-import":  {"name: bank-import\ndescription: Imports bank statements into the ledger.\ninputs: a CSV statement", "# Use\n\nRead the ledger first.\n\n## Refunds\n\nA refund in the statement keeps its sign.\n"},
		"ledger-audit": {"name: ledger-audit\ndescription: Audits the ledger for statement entries without a receipt.", "Every statement needs a receipt; the ledger says which.\n"},
		"memo":         {"name: memo\ndescription: Writes memos about a statement.", "Short and to the point.\n"},
	}
	p := newPlace(t)
	var lines strings.Builder
	for _, id := range []string{"bank-import", "ledger-audit", "memo"} {
		s := skills[id]
		p.write(t, filepath.Join(p.home, "lib", id, "SKILL.md"), "---\n"+s[0]+"\n---\n"+s[1], 0o600)
		b, err := json.Marshal(map[string]string{"id": id, "name": id, "frontmatter": s[0], "body": s[1]})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(b, '\n'))
	}
	p.write(t, filepath.Join(p.home, "lib.jsonl"), lines.String(), 0o600)
	p.write(t, filepath.Join(p.home, "gold.jsonl"), `{"id":"1","query":"import the bank statement into the ledger with refunds","gold":["bank-import"]}`+"\n", 0o600)
	helper := startFakeHelper(t, p, gate.Default(), rerank.Status{Ready: true, Model: "fake"})
	docs := func(library string) []rerank.Doc {
		t.Helper()
		helper.take()
		if err := p.env.rerankBench(t.Context(), rerankBenchFlags{gold: filepath.Join(p.home, "gold.jsonl"), libraries: []string{filepath.Join(p.home, library)}}); err != nil {
			t.Fatalf("rerank bench --library %s: %v\n%s", library, err, p.stderr.String())
		}
		asked := helper.take()
		if len(asked) == 0 {
			t.Fatalf("rerank bench --library %s asked the helper nothing:\n%s", library, p.stdout.String())
		}
		return asked[0].Docs
	}
	folder, file := docs("lib"), docs("lib.jsonl")
	if diff := gocmp.Diff(folder, file); diff != "" {
		t.Errorf("a model reads other text of a library file (-folder +file):\n%s", diff)
	}
	i := slices.IndexFunc(file, func(d rerank.Doc) bool { return d.Name == "bank-import" })
	if i < 0 || file[i].Contract != "inputs: a CSV statement" || file[i].Passage != "Refunds: A refund in the statement keeps its sign." {
		t.Errorf("a model reads %+v, want contract and best passage of bank-import", file)
	}
}

func TestRerankBenchRefusesLabelsOfUnknownSkills(t *testing.T) {
	p := newPlace(t)
	p.write(t, filepath.Join(p.home, ".claude", "skills", "memo", "SKILL.md"), "---\nname: memo\ndescription: Writes memos.\n---\n", 0o600)
	startFakeHelper(t, p, gate.Default(), rerank.Status{Ready: true, Model: "fake"})
	gold := filepath.Join(p.home, "gold.jsonl")
	for id, want := range map[string]string{"memo": `no skill "memo" in the library`, "personal/memo": ""} {
		p.write(t, gold, fmt.Sprintf(`{"id":"1","query":"write a memo","gold":[%q]}`+"\n", id), 0o600)
		err := p.env.rerankBench(t.Context(), rerankBenchFlags{gold: gold})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("rerank bench with the label %q: %v, want %q", id, err, want)
		}
	}
}

// What reranking lacks is named with the next step, by doctor and by rerank check.
func TestRerankFindings(t *testing.T) {
	const good = `echo '{"runtime":"1.24.3","library":"/lib/libonnxruntime.so.1","scale":2,"ms_per_token":0.05,"load_ms":80,"right":7,"asked":8}'`
	tests := []struct {
		name    string
		probe   string // what the helper's program does when it is to run the model
		version string // of the helper's program
		prepare func(t *testing.T, p *place, s *gate.Settings, c rerank.Config)
		want    string // text of the finding that is no ok; "" where all are
		fix     string
	}{
		{name: "all is well", probe: good},
		{name: "no program", want: "neither beside", fix: "./install.sh --with-rerank",
			prepare: func(t *testing.T, p *place, _ *gate.Settings, _ rerank.Config) { t.Setenv("PATH", "/bin") }},
		{name: "program that does not run", version: "; exit 1", want: "exit status 1", fix: "./install.sh --with-rerank"},
		{name: "program of another version", probe: good, version: "v0.0.1", want: "is version v0.0.1", fix: "./install.sh --with-rerank"},
		{name: "no model", want: "no rerank model is installed", fix: "skillgate rerank install DIR",
			prepare: func(t *testing.T, _ *place, _ *gate.Settings, c rerank.Config) { os.RemoveAll(c.Models) }},
		{name: "changed model", want: "has changed since it was installed", fix: "skillgate rerank install DIR",
			prepare: func(t *testing.T, p *place, _ *gate.Settings, c rerank.Config) {
				p.write(t, filepath.Join(c.Models, "tiny", "tokenizer.bin"), "x", 0o600)
			}},
		{name: "damaged model of the same size and time", want: "SHA-256", fix: "skillgate rerank install DIR",
			prepare: func(t *testing.T, p *place, _ *gate.Settings, c rerank.Config) {
				file := filepath.Join(c.Models, "tiny", "tokenizer.bin")
				fi, err := os.Stat(file)
				if err != nil {
					t.Fatal(err)
				}
				p.write(t, file, strings.Repeat("x", int(fi.Size())), 0o600)
				if err := os.Chtimes(file, fi.ModTime(), fi.ModTime()); err != nil {
					t.Fatal(err)
				}
			}},
		{name: "no library", probe: "echo 'skillgate-rerank: no usable libonnxruntime (libonnxruntime.so.1: not found)' >&2; exit 3", want: "no usable libonnxruntime", fix: "set rerank.library"},
		{name: "model that does not load", probe: "echo 'skillgate-rerank: load model tiny: the model file is damaged' >&2; exit 3", want: "is damaged", fix: "skillgate rerank install DIR"},
		{name: "slow model", probe: strings.Replace(good, "0.05", "5", 1), want: "a pair of 128 tokens takes 640.0 ms", fix: "set rerank.deadline_ms to 753"},
		{name: "start that failed", probe: good, want: "last start, 0s ago: no room", fix: "skillgate rerank start",
			prepare: func(t *testing.T, p *place, _ *gate.Settings, c rerank.Config) {
				p.env.now = time.Now
				if err := c.Place.SetAttempt(rerank.Attempt{Want: c.Want(), Reason: "no room"}); err != nil {
					t.Fatal(err)
				}
			}},
		{name: "folder that others can read", probe: good, want: "mode 0755, want 0700", fix: "remove ",
			prepare: func(t *testing.T, _ *place, _ *gate.Settings, c rerank.Config) { os.Chmod(c.Place.Dir, 0o755) }},
		{name: "folder that is a link", probe: good, want: "not a folder", fix: "remove ",
			prepare: func(t *testing.T, _ *place, _ *gate.Settings, c rerank.Config) {
				os.RemoveAll(c.Place.Dir)
				if err := os.Symlink(t.TempDir(), c.Place.Dir); err != nil {
					t.Fatal(err)
				}
			}},
		{name: "file in place of the socket", probe: good, want: "not a socket", fix: "remove ",
			prepare: func(t *testing.T, p *place, _ *gate.Settings, c rerank.Config) {
				p.write(t, c.Place.Socket(), "", 0o600)
			}},
		{name: "helper that refuses", probe: good, want: "refused 14 of 15 prompts, the last one since: too slow here", fix: "raise rerank.deadline_ms",
			prepare: func(t *testing.T, p *place, s *gate.Settings, _ rerank.Config) {
				startFakeHelper(t, p, *s, rerank.Status{Ready: true, Version: build.Read().Version, Ranked: 1, Refused: 14, LastReason: "too slow here"})
			}},
		{name: "helper of another version", probe: good, want: "is version v0.0.1", fix: "skillgate rerank stop",
			prepare: func(t *testing.T, p *place, s *gate.Settings, _ rerank.Config) {
				startFakeHelper(t, p, *s, rerank.Status{Ready: true, Version: "v0.0.1"})
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			s := gate.Default()
			s.Rerank.Enabled = true
			d, err := p.env.places()
			if err != nil {
				t.Fatal(err)
			}
			c := p.env.helper(d, s).Config()
			installTiny(t, c.Models)
			if err := c.Place.Make(os.Getuid()); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(c.Place.Dir) })
			if tt.version == "" {
				tt.version = "'" + build.Read().Version + "'"
			}
			bin := t.TempDir()
			p.write(t, filepath.Join(bin, "skillgate-rerank"), fmt.Sprintf("#!/bin/sh\ncase $1 in version) echo %s;; probe) %s;; esac\n", tt.version, cmp.Or(tt.probe, "exit 3")), 0o700)
			t.Setenv("PATH", bin+":/usr/bin:/bin")
			if tt.prepare != nil {
				tt.prepare(t, p, &s, c)
			}
			all := p.env.doctor(t.Context(), d, s, nil, healthy())
			var bad []doctorFinding
			n := 0
			for _, f := range all.Findings {
				if f.Check != "rerank" {
					continue
				}
				n++
				if f.Status != statusOK {
					bad = append(bad, f)
				}
			}
			if tt.want == "" {
				if len(bad) > 0 || n != 4 {
					t.Errorf("doctor: %d findings on reranking, of which %+v; want 4 that are ok", n, bad)
				}
				return
			}
			if len(bad) != 1 || bad[0].Status != statusWarn || !strings.Contains(bad[0].Text, tt.want) || !strings.Contains(bad[0].Fix, tt.fix) {
				t.Errorf("doctor: %+v, want one warning with %q and the next step %q", bad, tt.want, tt.fix)
			}
		})
	}
}

func TestDoctorSaysNothingOfRerankingThatIsOff(t *testing.T) {
	p := newPlace(t)
	d, err := p.env.places()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.env.doctor(t.Context(), d, gate.Default(), nil, healthy()).Findings {
		if f.Check == "rerank" {
			t.Errorf("doctor: %+v with rerank.enabled: false, want nothing", f)
		}
	}
}

// installTiny installs the small model without a run of it.
func installTiny(t *testing.T, store string) {
	t.Helper()
	staged, err := model.Stage(filepath.Join("..", "..", "testdata", "rerank", "tiny"), store, "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := staged.Commit(model.Probe{}); err != nil {
		t.Fatal(err)
	}
}
