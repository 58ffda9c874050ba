package rerank

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rerank"
)

func TestRerankBenchShowsAModelTheBodiesOfLibraryFiles(t *testing.T) {
	skills := map[string][2]string{
		"bank-import": {"name: bank-import\ndescription: Imports bank statements into the ledger.\ninputs: a CSV statement",
			"# Use\n\nRead the ledger first.\n\n## Refunds\n\nA refund in the statement keeps its sign.\n"},
		"ledger-audit": {"name: ledger-audit\ndescription: Audits the ledger for statement entries without a receipt.",
			"Every statement needs a receipt; the ledger says which.\n"},
		"memo": {"name: memo\ndescription: Writes memos about a statement.", "Short and to the point.\n"},
	}
	p := apptest.NewInProject(t)
	var lines strings.Builder
	for _, id := range []string{"bank-import", "ledger-audit", "memo"} {
		s := skills[id]
		p.Write(t, filepath.Join(p.Dir, "lib", id, "SKILL.md"), "---\n"+s[0]+"\n---\n"+s[1], 0o600)
		b, err := json.Marshal(map[string]string{"id": id, "name": id, "frontmatter": s[0], "body": s[1]})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(b, '\n'))
	}
	p.Write(t, filepath.Join(p.Dir, "lib.jsonl"), lines.String(), 0o600)
	p.Write(t, filepath.Join(p.Dir, "gold.jsonl"),
		`{"id":"1","query":"import the bank statement into the ledger with refunds","gold":["bank-import"]}`+"\n", 0o600)
	helper := apptest.StartHelper(t, p, gate.Default(), rerank.Status{Ready: true, Model: "fake"})
	docs := func(library string) []rerank.Doc {
		t.Helper()
		helper.Take()
		if err := runBench(t.Context(), p.App, benchOptions{Gold: filepath.Join(p.Dir, "gold.jsonl"),
			Libraries: []string{filepath.Join(p.Dir, library)}}); err != nil {
			t.Fatalf("rerank bench --library %s: %v\n%s", library, err, p.Err.String())
		}
		asked := helper.Take()
		if len(asked) == 0 {
			t.Fatalf("rerank bench --library %s asked the helper nothing:\n%s", library, p.Out.String())
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
	p := apptest.NewInProject(t)
	p.Write(t, filepath.Join(p.Dir, ".claude", "skills", "memo", "SKILL.md"), "---\nname: memo\ndescription: Writes memos.\n---\n", 0o600)
	apptest.StartHelper(t, p, gate.Default(), rerank.Status{Ready: true, Model: "fake"})
	gold := filepath.Join(p.Dir, "gold.jsonl")
	for id, want := range map[string]string{"memo": `no skill "memo" in the library`, "personal/memo": ""} {
		p.Write(t, gold, fmt.Sprintf(`{"id":"1","query":"write a memo","gold":[%q]}`+"\n", id), 0o600)
		err := runBench(t.Context(), p.App, benchOptions{Gold: gold})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("rerank bench with the label %q: %v, want %q", id, err, want)
		}
	}
}
