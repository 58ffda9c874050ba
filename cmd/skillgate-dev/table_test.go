package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
)

func benchFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
	}
	library := func(prefix string) string {
		return fmt.Sprintf(`{"id":"%[1]sbread","name":"bread","description":"Bakes sourdough bread. Use when the user says \"knead the dough\" or \"빵 반죽해줘\"."}
{"id":"%[1]splumbing","name":"plumbing","description":"Repairs leaking kitchen taps and pipes. Use when the user says \"the tap drips\"."}`, prefix)
	}
	prompt := func(prefix string) string {
		return fmt.Sprintf(`{"id":"%[1]sp","query":"knead the dough for a sourdough `+
			`bread","lang":"en","kind":"single","class":"x","gold":["%[1]sbread"],"also_ok":[]}`, prefix)
	}
	const native = `{"id":"n","query":"rename that variable and run it ` +
		`again","lang":"en","kind":"native","gold":[],"also_ok":[],"session":"s","turn":1,"label":"native",` +
		`"url":"https://example.com/ann/r/x"}`
	const session = `{"sid":"s","turns":["knead the dough for a sourdough bread","and now another sourdough bread"],"url":"https://example.com/ann/r/x"}`
	for name, prefix := range map[string]string{"library-ko": "", "library-en": "TerminalSkills/skills/",
		"library-skillsbench": "sb/", "public/triggers/library": "o/r/"} {
		put(name+".jsonl.gz", library(prefix))
	}
	for _, name := range []string{"azure", "gtm", "hometax", "lazy", "metarouter", "mhingston", "omh", "svelte", "functionchat", "metatool",
		"bfcl-multiple", "bizplan", "carlosarraes", "dotnet", "dwmkerr", "lecture", "ondata", "solopreneur", "aers"} {
		put("public/"+name+"/library.jsonl.gz", library(""))
		put("public/"+name+"/prompts.jsonl", prompt(""))
	}
	put("public/ondata/prompts.jsonl", prompt("")+"\n"+native+"\n"+`{"id":"x","query":"knead the dough of a sourdough bread",`+
		`"kind":"native","class":"not:plumbing","gold":[],"also_ok":[],"url":"https://example.com/ondata/r/x"}`)
	put("public/bfcl-irrelevance/items.jsonl", strings.TrimSuffix(native, "}")+`,"tools":[`+strings.ReplaceAll(library(""), "\n", ",")+"]}")
	put("public/triggers/prompts.jsonl", `{"id":"t","query":"the tap drips","skill":"o/r/plumbing","should_trigger":true}
{"id":"u","query":"sourdough bread","skill":"o/r/plumbing","should_trigger":false}`)
	for _, name := range []string{"needs_nothing", "more_labelled", "sessions_labelled", "strangers_labelled"} {
		put("people/"+name+".jsonl", native)
	}
	put("people/needs_skill_ko.jsonl", prompt(""))
	put("people/needs_skill_en.jsonl", prompt("TerminalSkills/skills/"))
	put("people/sessions.jsonl.gz", session)
	put("people/more_sessions.jsonl.gz", strings.Replace(session, `"s"`, `"s2"`, 1))
	put("dev_ko_library.jsonl", prompt("")+"\n"+`{"id":"c","query":"bake bread, then mend the `+
		`tap","gold":["bread"],"also_ok":[],"steps":[["bread"],["plumbing"]]}`)
	put("dev_en_library.jsonl", prompt("TerminalSkills/skills/"))
	put("dev_usecases.jsonl", prompt("TerminalSkills/skills/"))
	put("dev_skillsbench.jsonl", prompt("sb/"))
	put("dev_gate.jsonl", `{"id":"g","query":"hello","lang":"en","kind":"greeting","gold":[],"also_ok":[]}`)
	put("dev_boundary.jsonl", `{"id":"b","query":"mend the tap","gold":["plumbing"],"also_ok":[],"not_above":"bread"}`)
	put("siblings.jsonl.gz", strings.ReplaceAll(library("sib/"), `"name":"`, `"name":"home-`))
	put("dev_pairs.jsonl", `{"id":"k","query":"knead the dough","helpful":"bread","risky":"sib/bread","library":"ko"}
{"id":"e","query":"knead","helpful":"TerminalSkills/skills/bread","risky":"sib/bread","library":"en"}`)
	return dir
}

func TestTableAsksEverySet(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	rooms, err := bench.ReadSuite(benchFolder(t))
	must(t, err)
	var table bench.Table
	var answers []bench.Answer
	for i := range rooms {
		got, err := askRoom(t.Context(), apptest.New(t).App, &rooms[i], regexp.MustCompile(""), gate.Default(), nil, nil)
		must(t, err)
		answers = append(answers, got...)
	}
	table.Sum(answers)
	found := map[string]bench.Row{}
	for _, r := range table.Rows {
		found[r.Library+" "+r.Set+" "+r.Group] = r
	}
	for row, measure := range map[string]string{
		"library-ko people: native all":                           "spoken",
		"library-ko people: requests all":                         "right shown",
		"library-en people: requests all":                         "hit@1",
		"library-ko sessions: labelled all":                       "spoken",
		"library-ko sessions: unlabelled, each all":               "characters",
		"library-ko quoted phrases Korean":                        "right shown",
		"library-en+triggers triggers all":                        "excluded shown",
		"library-ko dev: composite all":                           "coverage@8",
		"library-ko dev: boundary all":                            "boundary right",
		"library-ko dev: triage all":                              "skipped",
		"library-ko+siblings dev: pairs all":                      "HSR@5",
		"library-en+siblings dev: pairs all":                      "helpful above",
		"TerminalSkills dev: use cases all":                       "hit@5",
		"hometax public: hometax all":                             "hit@1",
		"their own strangers ondata":                              "right shown",
		"their own strangers native":                              "spoken",
		"their own strangers all":                                 "excluded shown",
		"library-en+strangers strangers all":                      "hit@5",
		"library-ko strangers: turns all":                         "spoken",
		"tools brought along strangers: no tool fits all":         "spoken",
		"library-en+triggers triggers, full-text BM25 all":        "hit@5",
		"library-en+Korean Korean skills hometax":                 "right shown",
		"library-en+Korean Korean skills, full-text BM25 hometax": "hit@1",
		"library-en+Korean Korean skills, FTS5 trigram hometax":   "hit@1",
	} {
		_, ok := found[row].Cells[measure]
		assert.True(t, ok, "no %s of %s", measure, row)
	}
	assert.Equal(t, float64(1), found["library-ko people: requests all"].Cells["hit@1"].Mean)
}
