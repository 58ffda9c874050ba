package tune

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/rank"
)

const library = `{"id":"kettle","name":"kettle","description":"Boils water for tea."}
{"id":"mill","name":"mill","description":"Grinds coffee beans."}
{"id":"other/oven","name":"oven","description":"Bakes bread."}
`

const prompts = `{"id":"1","query":"boil the water","gold":["kettle"]}
{"id":"2","query":"grind the coffee","gold":["mill"]}
{"id":"3","query":"water for tea","gold":["kettle"]}
{"id":"4","query":"what time is it","kind":"native"}
`

func files(t *testing.T) (h *apptest.Home, lib, set string) {
	t.Helper()
	return apptest.New(t), apptest.File(t, "lib.jsonl", library), apptest.File(t, "set.jsonl", prompts)
}

func TestWeights(t *testing.T) {
	h, lib, set := files(t)
	out, err := h.Run(New(h.App), "weights", "--set", lib+":"+set, "--only", "field.description", "--passes", "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"checked in", "fitted", "cross-validated", "set ", " 3 ", "--set lib.jsonl:set.jsonl\n"} {
		if !strings.Contains(strings.ToLower(out), want) {
			t.Errorf("tune weights prints\n%s\nwant %q in it", out, want)
		}
	}
	i := strings.Index(out, "# Weights of ranking")
	if i < 0 {
		t.Fatal("the weights are not printed")
	}
	if _, err := rank.ParseWeights(out[i:]); err != nil {
		t.Errorf("what is printed cannot be read again: %v", err)
	}
}

func TestWeightsStartAndAreWritten(t *testing.T) {
	h, lib, set := files(t)
	start, to := apptest.File(t, "start.txt", rank.DefaultWeights().String()), filepath.Join(h.Dir, "weights.txt")
	out, err := h.Run(New(h.App), "weights", "--set", lib+"@kettle,"+":"+set, "--from", start, "--write", to)
	if err == nil {
		t.Errorf("a library without a name is taken: %s", out)
	}
	one := apptest.File(t, "one.jsonl", strings.SplitAfter(prompts, "\n")[0])
	out, err = h.Run(New(h.App), "weights", "--set", lib+"@kettle:"+one, "--only", "field.name", "--passes", "1", "--cross-validate=false", "--from", start, "--write", to)
	if err != nil || !strings.Contains(out, "START") || strings.Contains(out, "CROSS-VALIDATED") {
		t.Fatalf("tune weights prints %q, %v", out, err)
	}
	text := h.Read(t, to)
	if _, err := rank.ParseWeights(text); err != nil || !strings.Contains(text, "lib.jsonl@kettle:one.jsonl") {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

func TestWrongUsage(t *testing.T) {
	h, lib, set := files(t)
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"no set", "no --set", nil},
		{"a set without prompts", "want LIBRARY", []string{"--set", lib}},
		{"a library that is not there", "see `skillgate-dev tune --help`", []string{"--set", "none.jsonl:" + set}},
		{"prompts that are not there", "none.jsonl", []string{"--set", lib + ":none.jsonl"}},
		{"expansions that are not there", "enrich export", []string{"--set", lib + "+none.jsonl:" + set}},
		{"a prefix that no skill has", "no skills in", []string{"--set", lib + "@samovar:" + set}},
		{"weights that are none", "start.txt", []string{"--set", lib + ":" + set, "--from", apptest.File(t, "start.txt", "field.nonsense 1\n")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code, message := h.Status(New(h.App), append([]string{"weights"}, tt.args...)...); code == 0 || !strings.Contains(message, tt.want) {
				t.Errorf("tune weights %v ends with %d, %q, want %q", tt.args, code, message, tt.want)
			}
		})
	}
}

func TestBaseSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		"/a/lib.jsonl.gz:/b/set.jsonl":               "lib.jsonl.gz:set.jsonl",
		"/a/one.jsonl,/a/two.jsonl:/b/set.jsonl":     "one.jsonl,two.jsonl:set.jsonl",
		"/a/lib.jsonl@Terminal/skills:/b/set.jsonl":  "lib.jsonl@Terminal/skills:set.jsonl",
		"/a/lib.jsonl+/c/words.jsonl:/b/set.jsonl":   "lib.jsonl+words.jsonl:set.jsonl",
		"/a/lib.jsonl@p+/c/words.jsonl:/b/set.jsonl": "lib.jsonl@p+words.jsonl:set.jsonl",
	} {
		if got := baseSpecs([]string{spec}); len(got) != 1 || got[0] != want {
			t.Errorf("baseSpecs(%s) = %q, want %s", spec, got, want)
		}
	}
}
