package bench

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadPromptsRecognisesTasks(t *testing.T) {
	text := "\xef\xbb\xbf" + `{"id":"s1","query":"draw a chart","lang":"en","class":"trigger","kind":"single","gold":["chart"],"also_ok":[]}
{"id":"s2","query":"port the build","gold":["make","cmake"],"class":"task"}

{"id":"c1","query":"read it, then sum it up","kind":"composite","gold":["read"],"steps":[["read"],["sum","digest"]]}
{"id":"g1","query":"안녕","lang":"ko","kind":"greeting","gold":[],"also_ok":[]}
{"id":"g2","query":"why is the sky blue","kind":"native"}
{"id":"p1","query":"lock it on windows","helpful":"lock-linux","risky":"sib/lock-windows","risk":"platform","library":"en"}
{"id":"p2","query":"lock it on windows now","helpful":"sib/lock-windows","risky":"lock-linux","library":"en"}
{"id":"b1","query":"trim the clip","gold":["trim"],"also_ok":[],"not_above":"merge"}
`
	prompts, err := ReadPrompts("x.jsonl", strings.NewReader(text))
	require.NoError(t, err)
	want := []struct {
		id    string
		task  Task
		kind  string
		class string
		at    string
	}{
		{"s1", Search, "single", "trigger", "x.jsonl:1"},
		{"s2", Search, "multi", "task", "x.jsonl:2"},
		{"c1", Composite, "composite", "", "x.jsonl:4"},
		{"g1", Gate, "greeting", "", "x.jsonl:5"},
		{"g2", Gate, "native", "", "x.jsonl:6"},
		{"p1", Pair, "", "platform", "x.jsonl:7"},
		{"p2", Pair, "", "", "x.jsonl:8"},
		{"b1", Boundary, "", "", "x.jsonl:9"},
	}
	require.Equal(t, len(want), len(prompts))
	for i, w := range want {
		p := prompts[i]
		if p.ID != w.id || p.Task != w.task || p.Kind != w.kind || p.Class != w.class || p.At != w.at {
			t.Errorf("prompt %d = %s %s kind %q class %q at %s, want %+v", i, p.ID, p.Task, p.Kind, p.Class, p.At, w)
		}
	}
}

var badPrompts = []struct {
	name, text, want string
}{
	{"nothing at all", "", "x.jsonl: the file has no prompts"},
	{"blank lines only", "\n\n  \n", "x.jsonl: the file has no prompts"},
	{"not JSON", `{"id":"a","query":"q","gold":["s"]}` + "\n{oops", "x.jsonl:2: not JSON"},
	{"cut off", `{"id":"a","query":"q","gol`, "x.jsonl:1: not JSON"},
	{"an array", `["a"]`, "x.jsonl:1: must be a JSON object"},
	{"two objects in a line", `{"id":"a","query":"q","gold":["s"]} {"id":"b"}`, "x.jsonl:1: not JSON"},
	{"gold is not a list", `{"id":"a","query":"q","gold":"s"}`, `x.jsonl:1: field "gold" has the wrong type: string`},
	{"no id", `{"query":"q","gold":["s"]}`, `x.jsonl:1: no "id"`},
	{"no query", `{"id":"a","gold":["s"]}`, `x.jsonl:1: a: no "query"`},
	{"no gold", `{"id":"a","query":"q","gold":[]}`, `x.jsonl:1: a: "gold" must have`},
	{"an unknown kind wants gold", `{"id":"a","query":"q","kind":"greetings"}`, `x.jsonl:1: a: "gold" must have`},
	{"the same id twice", "{\"id\":\"a\",\"query\":\"q\",\"gold\":[\"s\"]}\n\n{\"id\":\"a\",\"query\":\"r\",\"gold\":[" +
		"\"s\"]}", `x.jsonl:3: duplicate id "a", first used at x.jsonl:1`},
	{"a skill twice in gold", `{"id":"a","query":"q","gold":["s","s"]}`, `x.jsonl:1: a: s is listed twice in "gold"`},
	{"an empty skill id", `{"id":"a","query":"q","gold":["s",""]}`, "x.jsonl:1: a: a skill id is empty"},
	{"a step without ids", `{"id":"a","query":"q","gold":["s"],"steps":[["s"],[]]}`, "x.jsonl:1: a: step 2 has no ids"},
	{"a pair of one", `{"id":"a","query":"q","helpful":"s"}`, `x.jsonl:1: a: "helpful" and "risky" must both be given`},
	{"a pair with itself", `{"id":"a","query":"q","helpful":"s","risky":"s"}`, "must be different skills"},
	{"a boundary without gold", `{"id":"a","query":"q","not_above":"s"}`, `x.jsonl:1: a: "gold" must have`},
}

func TestBadPromptsNameFileAndLine(t *testing.T) {
	for _, tt := range badPrompts {
		t.Run(tt.name, func(t *testing.T) {
			prompts, err := ReadPrompts("x.jsonl", strings.NewReader(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ReadPrompts(%q) = %d prompts, error %v, want an error with %q", tt.text, len(prompts), err, tt.want)
			}
		})
	}
}

func FuzzReadPrompts(f *testing.F) {
	for _, tt := range badPrompts {
		f.Add(tt.text)
	}
	f.Add(`{"id":"c","query":"q","gold":["a"],"steps":[["a"],["b"]]}`)
	f.Add(`{"id":"p","query":"q","helpful":"a","risky":"b"}`)
	f.Fuzz(func(t *testing.T, text string) {
		prompts, err := ReadPrompts("f", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("ReadPrompts(%q): error %q does not name the file", text, err)
			}
			return
		}
		d := decision("inject", "+a", "b")
		seen := map[string]bool{}
		for i := range prompts {
			p := &prompts[i]
			if seen[p.ID] {
				t.Fatalf("ReadPrompts(%q): id %q twice", text, p.ID)
			}
			seen[p.ID] = true
			for name, v := range measure(p, &d, 20) {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("measure(%+v)[%s] = %v, want 0 to 1", *p, name, v)
				}
			}
		}
	})
}

func TestReadPromptFileUnpacks(t *testing.T) {
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(`{"id":"a","query":"q","gold":["s"]}`))
	z.Close()
	file := filepath.Join(dir, "mine.jsonl.gz")
	must(t, os.WriteFile(file, packed.Bytes(), 0o600))
	s, err := ReadPromptFile(file)
	if err != nil || s.Name != "mine" || len(s.Prompts) != 1 {
		t.Errorf("ReadPromptFile(%s) = %q, %d prompts, %v, want mine, 1", file, s.Name, len(s.Prompts), err)
	}
}
