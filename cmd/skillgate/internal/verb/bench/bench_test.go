package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

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

// callBench runs `bench args…` and returns its standard output and error.
func callBench(t *testing.T, args ...string) (string, error) {
	t.Helper()
	h := apptest.New(t)
	return h.Run(New(h.App), args...)
}

func TestBenchTables(t *testing.T) {
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", benchTestPrompts)
	out, err := callBench(t, "--library", library, "--prompts", prompts)
	if err != nil {
		t.Fatalf("bench: %v", err)
	}
	for _, want := range []string{
		"mine · search", "\nhit@1          1.000 ±.000", "trigger", "paraphrase",
		"mine · gate", "gate, over all prompts",
		"3 prompts over 4 skills in ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("bench printed no %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "native injected") {
		t.Errorf("bench printed a measure that applies to none of the prompts:\n%s", out)
	}
	for line := range strings.Lines(out) {
		if strings.HasSuffix(line, " \n") {
			t.Errorf("bench printed a line that ends with a space: %q", line)
		}
	}
}

func TestBenchSaveCompareAndDiff(t *testing.T) {
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", benchTestPrompts)
	dir := t.TempDir()
	before, after := filepath.Join(dir, "before.json"), filepath.Join(dir, "after.json")
	if _, err := callBench(t, "--library", library, "--prompts", prompts, "--set", "need_min=0", "--set", "score_min=0", "--save", before); err != nil {
		t.Fatalf("bench --save: %v", err)
	}
	out, err := callBench(t, "--library", library, "--prompts", prompts, "--set", "need_min=0", "--set", "score_min=100000", "--save", after, "--compare", before)
	if err != nil {
		t.Fatalf("bench --compare: %v", err)
	}
	if !strings.Contains(out, "gated hit  2   1.000   .000  -1.000  -1.000 to -1.000       0      2") {
		t.Errorf("bench --compare printed no lost gated hits:\n%s", out)
	}
	if strings.Contains(out, "mine · search  hit@1 ") {
		t.Errorf("bench --compare printed a measure without a change:\n%s", out)
	}
	if fi, err := os.Stat(before); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("saved run has mode %v, %v, want 0600", fi.Mode(), err)
	}
	out, err = callBench(t, "diff", before, after)
	if err != nil {
		t.Fatalf("bench diff: %v", err)
	}
	for _, want := range []string{"worse: 2\n", "  s1  #1, inject → #1, silent below_score_min", "better: 0\n", "same: 1\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("bench diff printed no %q:\n%s", want, out)
		}
	}
	out, err = callBench(t, "diff", "--json", before, after)
	var d bench.Diff
	if err := json.Unmarshal([]byte(out), &d); err != nil || len(d.Changes) != 2 {
		t.Errorf("bench diff --json = %d changes, %v, want 2\n%s", len(d.Changes), err, out)
	}
	if err != nil {
		t.Errorf("bench diff --json: %v", err)
	}
}

func TestBenchJSON(t *testing.T) {
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", benchTestPrompts)
	for _, tt := range []struct {
		name     string
		args     []string
		outcomes int
		skills   int
	}{
		{"sums only", nil, 0, 4},
		{"part of the library", []string{"--only", "k/"}, 0, 3},
		{"a ranking weight", []string{"--set", "k1=2"}, 0, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := callBench(t, append([]string{"--library", library, "--prompts", prompts, "--json"}, tt.args...)...)
			if err != nil {
				t.Fatalf("bench --json: %v", err)
			}
			var r bench.Report
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatalf("bench --json printed no report: %v\n%s", err, out)
			}
			if len(r.Outcomes) != tt.outcomes || r.Skills != tt.skills || r.Prompts != 3 || len(r.Sections) != 3 {
				t.Errorf("bench --json %v = %d outcomes, %d skills, %d prompts, %d sections, want %d, %d, 3, 3",
					tt.args, len(r.Outcomes), r.Skills, r.Prompts, len(r.Sections), tt.outcomes, tt.skills)
			}
		})
	}
}

func TestBenchEnrichment(t *testing.T) {
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", `{"id":"s1","query":"zymurgy crumb gluten","gold":["k/loaf"]}`)
	enrichment := apptest.File(t, "more.jsonl", `{"id":"k/loaf","ko":[],"en":["zymurgy crumb gluten"],"kw":[]}`)
	hit := func(args ...string) float64 {
		t.Helper()
		out, err := callBench(t, append([]string{"--library", library, "--prompts", prompts, "--json"}, args...)...)
		if err != nil {
			t.Fatalf("bench: %v", err)
		}
		var r bench.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		return r.Sections[0].Groups[0].Rates["hit@1"].Mean
	}
	if without, with := hit(), hit("--enrichment", enrichment); without != 0 || with != 1 {
		t.Errorf("hit@1 = %.0f without and %.0f with the enrichment, want 0 and 1", without, with)
	}
}

func TestBenchFolderAndFile(t *testing.T) {
	folder := t.TempDir()
	os.MkdirAll(filepath.Join(folder, "kite"), 0o700)
	os.WriteFile(filepath.Join(folder, "kite", "SKILL.md"),
		[]byte("---\nname: kite-building\ndescription: Builds kites from paper and bamboo.\n---\n# Kites\n"), 0o600)
	library := apptest.File(t, "lib.jsonl", benchTestLibrary)
	prompts := apptest.File(t, "mine.jsonl", benchTestPrompts+`{"id":"s3","query":"build a kite from bamboo","gold":["kite"]}`)
	out, err := callBench(t, "--library", folder, "--library", library, "--prompts", prompts)
	if err != nil || !strings.Contains(out, "4 prompts over 5 skills") {
		t.Errorf("bench over a folder and a file: %v, want 5 skills\n%s", err, out)
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
		{"prompts without a library", []string{"--prompts", prompts}, "--prompts without a --library"},
		{"a library without prompts", []string{"--library", library}, "--library without --prompts"},
		{"no such library", []string{"--library", "gone", "--prompts", prompts}, "library gone: no such file"},
		{"an empty library", []string{"--library", empty, "--prompts", prompts}, "empty.jsonl: no skills"},
		{"an empty folder", []string{"--library", t.TempDir(), "--prompts", prompts}, ": no skills"},
		{"an id twice in a library", []string{"--library", twice, "--prompts", prompts}, "twice.jsonl:2: id"},
		{"an id in two libraries", []string{"--library", library, "--library", library, "--prompts", prompts}, `id "k/loaf" is also that of`},
		{"no such prompts", []string{"--library", library, "--prompts", "gone"}, "open gone"},
		{"broken prompts", []string{"--library", library, "--prompts", broken}, "broken.jsonl:4: not JSON"},
		{"an unknown skill", []string{"--library", library, "--prompts", unknown}, `unknown.jsonl:4: s9: no skill "k/gone" in the library`},
		{"two prompt files of one name", []string{"--library", library, "--prompts", prompts, "--prompts", twin}, "two --prompts files are named mine"},
		{"only nothing", []string{"--library", library, "--prompts", prompts, "--only", "zz/"}, `starts with "zz/"`},
		{"a set without a value", []string{"--library", library, "--prompts", prompts, "--set", "top_k"}, "want key=value"},
		{"an unknown setting", []string{"--library", library, "--prompts", prompts, "--set", "tok=1"}, `unknown setting "tok"`},
		{"a weight that is not a number", []string{"--library", library, "--prompts", prompts, "--set", "k1=high"}, `"high" is not a number`},
		{"a weight out of range", []string{"--library", library, "--prompts", prompts, "--set", "k1=-4"}, "k1 is -4, want"},
		{"a list of no length", []string{"--library", library, "--prompts", prompts, "--k", "0"}, "--k 0"},
		{"a run that is none", []string{"--library", library, "--prompts", prompts, "--compare", prompts}, "compare: "},
		{"diff of one", []string{"diff", prompts}, "accepts 2 arg"},
		{"an argument", []string{"extra"}, "unknown command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := callBench(t, tt.args...)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("bench %v = %v, want an error with %q", tt.args, err, tt.want)
			}
			if out != "" {
				t.Errorf("bench %v failed and printed %q", tt.args, out)
			}
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
		out, err := p.Run(New(p.App), "--prompts", filepath.Join(p.Dir, "gold.jsonl"), "--library", filepath.Join(p.Dir, library),
			"--set", "rerank.enabled=true")
		if err != nil || !strings.Contains(out, "reranked: 1\n") && !strings.Contains(out, "not reranked, 1 time: ") {
			t.Fatalf("bench --library %s: %v\n%s%s", library, err, out, p.Err.String())
		}
		asked := helper.Take()
		if len(asked) == 0 {
			t.Fatalf("bench --library %s asked the helper nothing:\n%s", library, p.Out.String())
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
