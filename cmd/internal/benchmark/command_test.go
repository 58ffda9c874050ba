package benchmark

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/rerank"
)

const benchTestLibrary = `{"id":"k/loaf","name":"loaf-planner","description":"Plans sourdough loaves: hydration, ` +
	`proofing schedule, oven heat. Use when the user wants to bake bread.","frontmatter":"name: ` +
	`loaf-planner\ndescription: Plans sourdough loaves, hydration, proofing schedule, oven heat. Use when the user ` +
	`wants to bake bread.","body":"# Loaf\n\nWeigh flour and water, fold, proof, bake."}
{"id":"k/telescope","name":"telescope-finder","description":"Finds planets and galaxies for a telescope on a given ` +
	`night.","frontmatter":"name: telescope-finder\ndescription: Finds planets and galaxies for a telescope on a given ` +
	`night.","body":"# Telescope\n\nRead the ephemeris."}
{"id":"k/hedge","name":"hedge-trimming","description":"Plans the trimming of garden hedges by ` +
	`season.","frontmatter":"name: hedge-trimming\ndescription: Plans the trimming of garden hedges by ` +
	`season.","body":"# Hedges"}
{"id":"other/violin","name":"violin-tuning","description":"Tunes a violin string by string.","frontmatter":"name: ` +
	`violin-tuning\ndescription: Tunes a violin string by string.","body":"# Violin"}
`

const benchTestPrompts = `{"id":"s1","query":"plan a sourdough loaf with 75% hydration and a proofing schedule","lang":"en","class":"trigger","gold":["k/loaf"]}
{"id":"s2","query":"which planets and galaxies can my telescope find tonight","lang":"en","class":"paraphrase","gold":["k/telescope"]}
{"id":"g1","query":"hello","lang":"en","kind":"greeting","gold":[]}
`

func callBench(t *testing.T, args ...string) (string, error) {
	t.Helper()
	h := apptest.New(t)
	return h.Run(New(h.App), args...)
}

func measured(t *testing.T, args ...string) map[string]bench.Row {
	t.Helper()
	out, err := callBench(t, append(args, "--json")...)
	var table bench.Table
	if err == nil {
		err = json.Unmarshal([]byte(out), &table)
	}
	require.NoError(t, err, "bench %v: %v\n%s", args, err, out)
	rows := map[string]bench.Row{}
	for _, r := range table.Rows {
		rows[r.Set+" "+r.Group] = r
	}
	return rows
}

func TestBench(t *testing.T) {
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", benchTestPrompts)
	for _, args := range [][]string{nil, {"--only", "k/"}, {"--set", "k1=2"}} {
		rows := measured(t, append([]string{"--library", library, "--prompts", prompts}, args...)...)
		all, greeting := rows["mine all"], rows["mine greeting"]
		if all.Library != "lib" || all.N != 3 || all.Cells["hit@1"].Mean != 1 || all.Cells["hit@1"].N != 2 ||
			rows["mine trigger"].N != 1 || greeting.Cells["skipped"].Mean != 1 || greeting.Cells["spoken"].Mean != 0 {
			t.Errorf("bench %v = %+v, want both right skills first and the greeting skipped", args, rows)
		}
	}
}

func TestBenchSavesAndCompares(t *testing.T) {
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	args := []string{"--library", library, "--prompts", apptest.File(t, "mine.jsonl", benchTestPrompts), "--set", "need_min=0"}
	before := filepath.Join(t.TempDir(), "before.json")
	if _, err := callBench(t, append(args, "--set", "score_min=0", "--save", before)...); err != nil {
		t.Fatalf("bench --save: %v", err)
	}
	out, err := callBench(t, append(args, "--set", "score_min=100000", "--compare", before)...)
	if _, changes, ok := strings.Cut(out, "difference"); err != nil || !ok || !strings.Contains(changes, "right shown") ||
		!strings.Contains(changes, "-1.000 [-1.000,-1.000]") || strings.Contains(changes, "hit@1") {
		t.Errorf("bench --compare = %v, want that nothing is shown any more, and no measure without a change:\n%s", err, out)
	}
	if fi, err := os.Stat(before); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("saved run has mode %v, %v, want 0600", fi.Mode(), err)
	}
}

func TestBenchFolderAndFile(t *testing.T) {
	folder := t.TempDir()
	os.MkdirAll(filepath.Join(folder, "kite"), 0o700)
	os.WriteFile(filepath.Join(folder, "kite", "SKILL.md"),
		[]byte("---\nname: kite-building\ndescription: Builds kites from paper and bamboo.\n---\n# Kites\n"), 0o600)
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", benchTestPrompts+`{"id":"s3","query":"build a kite from bamboo","gold":["kite"]}`)
	rows := measured(t, "--library", folder, "--library", library, "--prompts", prompts)
	if c := rows["mine all"].Cells["hit@1"]; c.N != 3 || c.Mean != 1 {
		t.Errorf("bench over a folder and a file: hit@1 %+v, want 1 of 3 prompts", c)
	}
}

func TestBenchRefuses(t *testing.T) {
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", benchTestPrompts)
	twin := apptest.File(t, "mine.jsonl", benchTestPrompts)
	empty := apptest.File(t, "empty.jsonl", "")
	twice := apptest.File(t, "twice.jsonl", strings.Repeat(`{"id":"k/loaf","name":"x","description":"y","body":"z"}`+"\n", 2))
	broken := apptest.File(t, "broken.jsonl", benchTestPrompts+"{nothing\n")
	unknown := apptest.File(t, "unknown.jsonl", benchTestPrompts+`{"id":"s9","query":"q","gold":["k/gone"]}`+"\n")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"nothing to do", nil, "nothing to run"},
		{"prompts without a library", []string{"--prompts", prompts}, "--prompts requires --library"},
		{"a library without prompts", []string{"--library", library}, "--library requires --prompts"},
		{"no such library", []string{"--library", "gone", "--prompts", prompts}, "library gone: no such file"},
		{"an empty library", []string{"--library", empty, "--prompts", prompts}, "no skills found in "},
		{"an empty folder", []string{"--library", t.TempDir(), "--prompts", prompts}, "no skills found in "},
		{"an id twice in a library", []string{"--library", twice, "--prompts", prompts}, "twice.jsonl:2: duplicate id"},
		{"an id in two libraries", []string{"--library", library, "--library", library, "--prompts", prompts}, `two skills have the id "k/loaf"`},
		{"no such prompts", []string{"--library", library, "--prompts", "gone"}, "open gone"},
		{"broken prompts", []string{"--library", library, "--prompts", broken}, "broken.jsonl:4: not JSON"},
		{"an unknown skill", []string{"--library", library, "--prompts", unknown}, `unknown.jsonl:4: s9: the library has no skill with the id "k/gone"`},
		{"two prompt files of one name", []string{"--library", library, "--prompts", prompts, "--prompts", twin}, "two --prompts files are named mine"},
		{"only nothing", []string{"--library", library, "--prompts", prompts, "--only", "zz/"}, `starts with "zz/"`},
		{"a set without a value", []string{"--library", library, "--prompts", prompts, "--set", "top_k"}, "must have the form KEY=VALUE"},
		{"an unknown setting", []string{"--library", library, "--prompts", prompts, "--set", "tok=1"}, `unknown setting "tok"`},
		{"a weight that is not a number", []string{"--library", library, "--prompts", prompts, "--set", "k1=high"}, `"high" is not a number`},
		{"a weight out of range", []string{"--library", library, "--prompts", prompts, "--set", "k1=-4"}, "k1 is -4 but must be"},
		{"a run that is none", []string{"--library", library, "--prompts", prompts, "--compare", prompts}, "compare: "},
		{"an argument", []string{"extra"}, "unknown command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := callBench(t, tt.args...)
			assert.ErrorContains(t, err, tt.want)
			assert.Empty(t, out)
		})
	}
}

func TestBenchShowsAModelTheBodiesOfLibraryFiles(t *testing.T) {
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
		require.NoError(t, err)
		lines.Write(append(b, '\n'))
	}
	p.Write(t, filepath.Join(p.Dir, "lib.jsonl"), lines.String(), 0o600)
	p.Write(t, filepath.Join(p.Dir, "gold.jsonl"),
		`{"id":"1","query":"import the bank statement into the ledger with refunds","gold":["bank-import"]}`+"\n", 0o600)
	helper := apptest.StartHelper(t, p, gate.Default(), rerank.Status{Ready: true, Model: "fake"})
	docs := func(library string) []rerank.Doc {
		t.Helper()
		helper.Take()
		out, err := p.Run(New(p.App), "--prompts", filepath.Join(p.Dir, "gold.jsonl"), "--library", filepath.Join(p.Dir, library),
			"--set", "rerank.enabled=true")
		if err != nil || !strings.Contains(out, "reranked") {
			t.Fatalf("bench --library %s: %v\n%s%s", library, err, out, p.Err.String())
		}
		asked := helper.Take()
		require.NotEmpty(t, asked, "bench --library %s asked the helper nothing:\n%s", library, p.Out.String())
		return asked[0].Docs
	}
	folder, file := docs("lib"), docs("lib.jsonl")
	assert.Empty(t, gocmp.Diff(folder, file))
	i := slices.IndexFunc(file, func(d rerank.Doc) bool { return d.Name == "bank-import" })
	if i < 0 || file[i].Contract != "inputs: a CSV statement" || file[i].Passage != "Refunds: A refund in the statement keeps its sign." {
		t.Errorf("a model reads %+v, want contract and best passage of bank-import", file)
	}
}
