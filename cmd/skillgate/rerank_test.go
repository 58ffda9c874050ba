package main

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
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
	c := p.env.rerankConfig(d, s)
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
		helper.asked = nil
		if err := p.env.rerankBench(t.Context(), rerankBenchFlags{gold: filepath.Join(p.home, "gold.jsonl"), libraries: []string{filepath.Join(p.home, library)}}); err != nil {
			t.Fatalf("rerank bench --library %s: %v\n%s", library, err, p.stderr.String())
		}
		if len(helper.asked) == 0 {
			t.Fatalf("rerank bench --library %s asked the helper nothing:\n%s", library, p.stdout.String())
		}
		return helper.asked[0].Docs
	}
	folder, file := docs("lib"), docs("lib.jsonl")
	if diff := cmp.Diff(folder, file); diff != "" {
		t.Errorf("a model reads other text of a library file (-folder +file):\n%s", diff)
	}
	i := slices.IndexFunc(file, func(d rerank.Doc) bool { return d.Name == "bank-import" })
	if i < 0 || file[i].Contract != "inputs: a CSV statement" || file[i].Passage != "Refunds: A refund in the statement keeps its sign." {
		t.Errorf("a model reads %+v, want contract and best passage of bank-import", file)
	}
}
