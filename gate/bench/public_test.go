package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
)

func TestLoadSkillRetBench(t *testing.T) {
	p, err := LoadSkillRetBench("testdata/skillretbench")
	must(t, err)
	require.Len(t, p.Records, 3)
	require.Len(t, p.Set.Prompts, 3)
	want := `Plans sourdough bakes. Use for "bake bread". Use when the user says "feed the starter". Korean triggers: "빵 굽기". Do NOT use for "cake".`
	if got := p.Records[0]; got.ID != "bread-baker" || got.Description != want || !strings.HasPrefix(got.Body, "# Bread baker") {
		t.Errorf("record 0 = %+v, want the description %q", got, want)
	}
	assert.Equal(t, "Plans layered cakes.", p.Records[1].Description)
	if q := p.Set.Prompts[1]; q.ID != "MC-0001" || !slices.Equal(q.Groups, []string{"multi_skill_composition"}) ||
		!slices.Equal(q.Gold, []string{"cake-baker", "oven-timer"}) || !strings.HasSuffix(q.At, "queries.json: query 2") {
		t.Errorf("prompt 1 = %+v, want MC-0001, its setting as group, two gold skills, query 2", q)
	}
	rows := map[string]Row{}
	for _, r := range p.Rows("l") {
		rows[r.Set+", "+r.Group] = r
	}
	assert.Equal(t, Cell{Mean: 0.5}, rows["SkillRetBench, BM25, single_skill"].Cells["R@1"])
	assert.Equal(t, Cell{Mean: 0.375}, rows["SkillRetBench, BM25, multi_skill_composition"].Cells["nDCG@10"])
}

func TestSkillRetBenchWithoutPublishedResults(t *testing.T) {
	dir := t.TempDir()
	copyTree(t, "testdata/skillretbench", dir)
	os.Remove(filepath.Join(dir, "baseline_results.json"))
	p, err := LoadSkillRetBench(dir)
	require.NoError(t, err)
	assert.Nil(t, p.Published)
}

func TestLoadSkillRouter(t *testing.T) {
	for _, tier := range []struct {
		name    string
		records int
	}{{"easy", 4}, {"hard", 5}} {
		p, err := LoadSkillRouter("testdata/skillrouter", tier.name)
		must(t, err)
		assert.Equal(t, tier.records, len(p.Records), tier.name)
		var got []string
		for _, q := range p.Set.Prompts {
			got = append(got, q.ID+" "+strings.Join(q.Groups, " "))
		}
		assert.Equal(t, []string{"mix-dough clean single", "serve-dinner mixed multi"}, got, tier.name)
		assert.NoError(t, check(p), tier.name)
	}
	p, _ := LoadSkillRouter("testdata/skillrouter", "hard")
	d := decision(gate.Silent, "degraded/dough-mixing_steps-removed_1", "gt/dough-mixing")
	got := measure(&p.Set.Prompts[0], &d, 50)
	if !near(got["nDCG@3"], 0.7967) || got["hit@1"] != 0 || got["FC@3"] != 1 {
		t.Errorf("measure(degraded copy first) = nDCG@3 %.4f, hit@1 %.0f, FC@3 %.0f, want .7967, 0, 1", got["nDCG@3"], got["hit@1"], got["FC@3"])
	}
	_, err := LoadSkillRouter("testdata/skillrouter", "medium")
	assert.Error(t, err, "LoadSkillRouter(medium) = no error, want one")
}

func TestLoadBEIR(t *testing.T) {
	p, err := LoadBEIR("testdata/beir")
	must(t, err)
	if p.Set.Name != "BEIR beir" || len(p.Records) != 3 || len(p.Set.Prompts) != 2 {
		t.Fatalf("LoadBEIR = %s, %d records, %d prompts, want BEIR beir, 3, 2", p.Set.Name, len(p.Records), len(p.Set.Prompts))
	}
	if r := p.Records[0]; r.Name != "Sourdough" || r.Body != "A starter of wild yeast raises the loaf." {
		t.Errorf("record 0 = %+v, want title as name, text as body", r)
	}
	q := p.Set.Prompts[0]
	if q.ID != "q1" || !slices.Equal(q.Gold, []string{"d1", "d3"}) || q.Grades["d1"] != 2 || q.Grades["d3"] != 1 || q.At != "testdata/beir/qrels/test.tsv:2" {
		t.Errorf("prompt 0 = %+v, want d1 at grade 2, d3 at 1", q)
	}
	assert.Equal(t, []string{"d2"}, p.Set.Prompts[1].Gold)
}

func TestLoadSRABench(t *testing.T) {
	p, err := LoadSRABench("testdata/srabench")
	must(t, err)
	if len(p.Records) != 3 || len(p.Set.Prompts) != 2 || check(p) != nil {
		t.Fatalf("LoadSRABench = %d records, %d prompts, %v, want 3, 2 with a skill, all there", len(p.Records), len(p.Set.Prompts), check(p))
	}
	if r := p.Records[0]; r.ID != "theorems_000" || r.Name != "Mean value theorem" || !strings.HasPrefix(r.Body, "# Mean") {
		t.Errorf("record 0 = %+v", r)
	}
	if q := p.Set.Prompts[0]; q.ID != "proofs_00000" || !slices.Equal(q.Groups, []string{"proofs", "multi"}) ||
		!slices.Equal(q.Gold, []string{"theorems_000", "theorems_001"}) || !strings.HasSuffix(q.At, "proofs.json: instance 1") {
		t.Errorf("prompt 0 = %+v", q)
	}
}

func TestLoadSkillRet(t *testing.T) {
	p, err := LoadSkillRet("testdata/skillret")
	must(t, err)
	if len(p.Records) != 3 || len(p.Set.Prompts) != 2 || check(p) != nil {
		t.Fatalf("LoadSkillRet = %d records, %d prompts, %v, want 3, 2 with a grade above 0, all there", len(p.Records), len(p.Set.Prompts), check(p))
	}
	if q := p.Set.Prompts[0]; !slices.Equal(q.Gold, []string{"s1", "s2"}) || q.Grades["s1"] != 2 || !slices.Equal(q.Groups, []string{"multi"}) {
		t.Errorf("prompt 0 = %+v, want the grades of qrels", q)
	}
	dir := t.TempDir()
	copyTree(t, "testdata/skillret", dir)
	os.RemoveAll(filepath.Join(dir, "qrels"))
	p, err = LoadSkillRet(dir)
	must(t, err)
	if q := p.Set.Prompts; len(q) != 3 || !slices.Equal(q[0].Gold, []string{"s1"}) || q[0].Grades != nil {
		t.Errorf("without qrels: %+v, want skill_ids", q)
	}
}

func check(p *Public) error {
	return p.Set.Check(func(id string) bool {
		return slices.ContainsFunc(p.Records, func(r Record) bool { return r.ID == id })
	})
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.CopyFS(to, os.DirFS(from)))
}

func TestBadPublicSetsNameFileAndLine(t *testing.T) {
	retbench := func(dir string) error { _, err := LoadSkillRetBench(dir); return err }
	router := func(dir string) error { _, err := LoadSkillRouter(dir, "easy"); return err }
	beir := func(dir string) error { _, err := LoadBEIR(dir); return err }
	sra := func(dir string) error { _, err := LoadSRABench(dir); return err }
	skillret := func(dir string) error { _, err := LoadSkillRet(dir); return err }
	unknown := func(dir string) error { // the command checks it before it asks
		p, err := LoadBEIR(dir)
		if err != nil {
			return err
		}
		return check(p)
	}
	tests := []struct {
		name, from string
		file       string
		old, new   string // if old is "", the file is removed
		load       func(dir string) error
		want       string
	}{
		{"no corpus", "skillretbench", "skill_corpus.json", "", "", retbench, "skill_corpus.json"},
		{"corpus cut off", "skillretbench", "skill_corpus.json", "\"category\": \"kitchen\", \"full_text\": \"# Cake", "\x00", retbench, "skill_corpus.json:"},
		{"a query id twice", "skillretbench", "skillretbench_queries.json", "MC-0001", "SS-0001", retbench,
			`queries.json: query 2: duplicate id "SS-0001", first used at`},
		{"a query without gold", "skillretbench", "skillretbench_queries.json", `["bread-baker"]`, `[]`, retbench,
			`queries.json: query 1: SS-0001: "gold" must have`},
		{"baselines are not an object", "skillretbench", "baseline_results.json", `"BM25": {`, `"BM25": [`, retbench, "baseline_results.json:6: not JSON"},
		{"a task that relevance lacks", "skillrouter", "relevance.json", `"mix-dough": {`, `"mix": {`, router, `tasks.jsonl:1: task "mix-dough" is not in`},
		{"a task that tasks lack", "skillrouter", "tasks.jsonl", `"task_id":"dropped"`, `"task_id":"other"`, router, `tasks.jsonl:4: task "other" is not in`},
		{"a task twice", "skillrouter", "tasks.jsonl", `"task_id":"write-docx"`, `"task_id":"mix-dough"`, router,
			`tasks.jsonl:3: duplicate id "mix-dough", first used at`},
		{"a task without gold", "skillrouter", "relevance.json", `"gt_skill_ids": ["gt/dough-mixing"]`, `"gt_skill_ids": []`, router, `mix-dough: "gold" must have`},
		{"a shard that is not gzip", "skillrouter", "easy/part-00001.jsonl.gz", "\x1f\x8b", "{}", router, "part-00001.jsonl.gz:1:"},
		{"no skills", "srabench", "corpus/corpus.json", "", "", sra, "corpus.json"},
		{"an instance twice", "srabench", "instances/theorems.json", "theorems_00000", "proofs_00000", sra,
			`theorems.json: instance 1: duplicate id "proofs_00000", first used at`},
		{"a relevance that is none", "skillret", "qrels/test.jsonl", `"relevance": 2`, `"relevance": "high"`, skillret, `qrels/test.jsonl:1: field "relevance"`},
		{"a query twice", "beir", "queries.jsonl", `"_id":"q3"`, `"_id":"q1"`, beir, `queries.jsonl:3: duplicate id "q1", first used at`},
		{"qrels of two columns", "beir", "qrels/test.tsv", "q1\td3\t1", "q1\td3", beir, "test.tsv:3: the line has 2 columns"},
		{"a grade that is not a number", "beir", "qrels/test.tsv", "d3\t1", "d3\thigh", beir, `test.tsv:3: score "high" is not a number`},
		{"qrels of an unknown query", "beir", "qrels/test.tsv", "q2\td2", "q9\td2", beir, `test.tsv:4: query "q9" is not in`},
		{"qrels of an unknown document", "beir", "qrels/test.tsv", "q2\td2", "q2\td9", unknown, `test.tsv:4: q2: the library has no skill with the id "d9"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			copyTree(t, filepath.Join("testdata", tt.from), dir)
			file := filepath.Join(dir, tt.file)
			if tt.old == "" {
				os.Remove(file)
			} else {
				text, err := os.ReadFile(file)
				must(t, err)
				changed := strings.Replace(string(text), tt.old, tt.new, 1)
				require.NotEqual(t, string(text), changed, "%s does not hold %q", file, tt.old)
				must(t, os.WriteFile(file, []byte(changed), 0o600))
			}
			if err := tt.load(dir); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("load with %q for %q in %s = %v, want an error with %q", tt.new, tt.old, tt.file, err, tt.want)
			}
		})
	}
}
