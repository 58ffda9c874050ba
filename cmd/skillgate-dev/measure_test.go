package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

// The key is made up but has the form of a real key.
const keyCase = `{"kind":"provider key","text":"use sk-ant-api03-Zq8vN2mKxW4pLr7TdYb3HcGf and go on","secret":"sk-ant-api03-Zq8vN2mKxW4pLr7TdYb3HcGf"}`

func TestSecrets(t *testing.T) {
	plain := apptest.File(t, "cases.jsonl", keyCase+"\n"+
		`{"kind":"no secret","text":"the word is tea","secret":"tea"}`+"\n"+
		`{"text":"put the kettle on","turns":["put the kettle on","pour it"],"query":"and a biscuit"}`+"\n")
	packed := filepath.Join(t.TempDir(), "more.jsonl.gz")
	f, err := os.Create(packed)
	must(t, err)
	w := gzip.NewWriter(f)
	_, err = w.Write([]byte(keyCase + "\n"))
	require.NoError(t, err)
	must(t, w.Close())
	must(t, f.Close())
	h := apptest.New(t)
	out, err := h.Run(newSecretsCommand(h.App), "--list", plain, packed)
	must(t, err)
	var rows []string
	for line := range strings.Lines(out) {
		rows = append(rows, strings.Join(strings.Fields(strings.ReplaceAll(line, "│", " ")), " "))
	}
	text := strings.Join(rows, "\n")
	for _, want := range []string{"no secret 1 0 0.0000", "provider key 2 2 1.0000", "all 2 kinds 3 2 0.6667",
		"ordinary texts changed 3 0 0.0000", `no secret: "the word is tea"`} {
		assert.Contains(t, text, want)
	}
	for name, file := range map[string]string{"no file": "nowhere.jsonl", "not JSON": apptest.File(t, "x.jsonl", "tea\n"),
		"not packed": apptest.File(t, "x.jsonl.gz", "tea")} {
		code, _ := h.Status(newSecretsCommand(h.App), file)
		assert.NotEqual(t, 0, code, name)
	}
}

func TestCommon(t *testing.T) {
	var lines strings.Builder
	for _, owner := range []string{"ann", "bob", "cid"} {
		lines.WriteString(`{"id":"` + owner + `","query":"turtles carry yellow lanterns","label":"native","owner":"` + owner + `"}` + "\n")
		lines.WriteString(`{"id":"ko-` + owner + `","query":"챗 우표","label":"native","owner":"` + owner + `"}` + "\n")
	}
	lines.WriteString(`{"id":"x","query":"grind the beans","label":"skill","gold":["mill"],"owner":"dan"}` + "\n")
	file := apptest.File(t, "turns.jsonl", lines.String())
	h := apptest.New(t)
	out := filepath.Join(t.TempDir(), "common.txt")
	_, err := h.Run(newCommonCommand(h.App), "--out", out, file)
	require.NoError(t, err)
	all := strings.Fields(h.Read(t, out))
	require.NotEmpty(t, all, "no phrase of three sources")
	if !strings.HasPrefix(all[0], "!") {
		t.Errorf("phrases of three sources begin with %s, want one that is met as it stands", all[0])
	}
}

func TestCompareTables(t *testing.T) {
	before := apptest.File(t, "before.json",
		`{"version":1,"answers":[{"library":"l","set":"s","id":"1","source":"ann","values":{"hit@1":0}},{"library":"l","set`+
			`":"s","id":"2","source":"bob","values":{"hit@1":1}}]}`)
	after := apptest.File(t, "after.json",
		`{"version":1,"rows":[{"set":"s","library":"l","group":"all","n":2,"sources":2}],"answers":[{"library":"l","set":"s`+
			`","id":"1","source":"ann","values":{"hit@1":1}},{"library":"l","set":"s","id":"2","source":"bob","values":{"hit@1`+
			`":1}}]}`)
	h := apptest.New(t)
	out, err := h.Run(newTableCommand(h.App), "diff", before, after)
	if err != nil || !strings.Contains(out, "hit@1") || !strings.Contains(out, "+0.500 [") {
		t.Errorf("table diff prints %q, %v", out, err)
	}
	for name, args := range map[string][]string{
		"another version": {"diff", apptest.File(t, "x.json", `{"version":9}`), after}, "no folder": {filepath.Join(h.Dir, "none")},
		"a wrong setting": {h.Dir, "--set", "top_k"}, "an unknown setting": {h.Dir, "--set", "x=1"},
		"no pattern": {h.Dir, "--only", "("}, "no models": {h.Dir, "--folds", h.Dir},
	} {
		if code, message := h.Status(newTableCommand(h.App), args...); code == 0 || message == "" {
			t.Errorf("%s ends with %d, %q", name, code, message)
		}
	}
}

func TestWords(t *testing.T) {
	var lines strings.Builder
	for _, id := range []string{"ann/pots", "bob/bowls", "cid/cups", "cid/jugs"} {
		name := strings.ReplaceAll(id, "/", "-")
		lines.WriteString(`{"id":"` + id + `","name":"` + name + `","description":"Fires clay.","body":"도자기"}` + "\n")
	}
	file := apptest.File(t, "library.jsonl", lines.String())
	h := apptest.New(t)
	out := filepath.Join(t.TempDir(), "words.txt")
	_, err := h.Run(newWordsCommand(h.App), "--out", out, file)
	require.NoError(t, err)
	if got := strings.Fields(h.Read(t, out)); len(got) != 2 || !strings.HasSuffix(got[0], "A") || !strings.HasSuffix(got[1], "A") {
		t.Errorf("words of three owners: %q, want fire and clay, in all skills", got)
	}
}
