package compile

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

func read(files map[string]string) (*Lists, error) {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Read(root)
}

func TestReadRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"broken YAML", "stop: [a, b\nhost: x\n", "xx/w.yaml:"},
		{"an unknown list", "stop: [a]\nstopp: [b]\n", `xx/w.yaml:2: there is no list "stopp"`},
		{"no mapping", "- a\n", "xx/w.yaml:1: not a mapping from names of lists to words"},
		{"a word twice", "stop:\n  - a\n  - b\n  - a\n", `xx/w.yaml:4: "a" is already in list stop, at xx/w.yaml:2`},
		{"a word of two classes", "talk:\n  - greet: [hi]\n  - thank: [hi]\n",
			`xx/w.yaml:3: "hi" is already in list talk, at xx/w.yaml:2`},
		{"an unknown class", "talk:\n  - greet | shout: [hi]\n", `xx/w.yaml:2: list talk has no value named "shout"`},
		{"an unknown craft", "craft: {bake: [cook]}\n", `xx/w.yaml:1: list craft has no value named "bake"`},
		{"words without a class", "talk: [hi]\n", `xx/w.yaml:1: list talk requires a value for "hi"`},
		{"groups in a plain list", "stop: {a: [b]}\n", "xx/w.yaml:1: a group is not allowed here in list stop"},
		{"groups within a group", "talk:\n  - greet:\n      - fill: [hi]\n",
			"xx/w.yaml:3: a group is not allowed here in list talk"},
		{"an empty word", "stop: [\"\"]\n", "xx/w.yaml:1: a word of list stop has 0 bytes but must have 1 to 255"},
		{"a word that no record holds", "stop: [" + strings.Repeat("x", 256) + "]\n",
			"xx/w.yaml:1: a word of list stop has 256 bytes"},
		{"an alias", "stop: &a [x]\nhost: *a\n", "xx/w.yaml:2: not a list of words"},
		{"a word that a shorter one hides", "used: [사용]\nnaming: [x]\nroute: [page, pages]\n",
			`xx/w.yaml:3: "pages" of list route has no effect, because "page" at xx/w.yaml:3 matches first`},
		{"an ending that an earlier one hides", "and so on: [을, 나을]\n", `"나을" of list and so on has no effect`},
		{"a sign that another one hides", "forbidden: [지 마, 쓰지 마]\n",
			`"쓰지 마" of list forbidden has no effect`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := read(map[string]string{"xx/w.yaml": tt.text})
			assert.ErrorContains(t, err, tt.want)
		})
	}
}

func TestRead(t *testing.T) {
	lists, err := read(map[string]string{
		"yy/w.yaml": "stop: [el]\nand: [고나서, 고]\n",
		"xx/w.yaml": "stop: [the, \"yes\"]\ntalk:\n  - greet | last: [hi]\nstem: {hi: [hai]}\n" +
			"joint:\n  - and: [plus]\n",
		"xx/empty.yaml": "# nothing yet\n",
		"other.yaml":    "stop: [not in a folder]\n",
	})
	require.NoError(t, err)
	words := func(l vocab.List) string {
		var out []string
		for _, e := range lists[l] {
			out = append(out, e.Word)
		}
		return strings.Join(out, ",")
	}
	for _, tt := range []struct {
		list vocab.List
		want string
	}{
		{vocab.Stop, "the,yes,el"}, {vocab.Talk, "hi"}, {vocab.Stems, "hai"}, {vocab.Joints, "plus"}, {vocab.And, "고나서,고"},
	} {
		if got := words(tt.list); got != tt.want {
			t.Errorf("list %s is %s, want %s", Specs[tt.list].Name, got, tt.want)
		}
	}
	assert.Equal(t, vocab.Greet|vocab.Last, vocab.Class(lists[vocab.Talk][0].Value))
	assert.Equal(t, vocab.JointAnd, vocab.Joint(lists[vocab.Joints][0].Value))
	assert.Equal(t, "hi", lists[vocab.Stems][0].Text)
	a, b := lists.Table(), lists.Table()
	assert.Equal(t, b, a, "equal lists give unequal tables")
}

func TestNamesOfValuesAreTheirConstants(t *testing.T) {
	at := func(l vocab.List, name string) int { return slices.Index(Specs[l].Values, name) }
	for _, tt := range []struct {
		list vocab.List
		name string
		want int
	}{
		{vocab.Crafts, "light work", int(vocab.LightWork)}, {vocab.Crafts, "implement", int(vocab.Implement)},
		{vocab.Crafts, "write", int(vocab.Write)},
		{vocab.Crafts, "audit", int(vocab.Audit)}, {vocab.Crafts, "track", int(vocab.Track)},
	} {
		if got := at(tt.list, tt.name); got != tt.want {
			t.Errorf("%s of list %s is %d, want %d", tt.name, Specs[tt.list].Name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		list vocab.List
		name string
		want uint32
	}{
		{vocab.Talk, "greet", uint32(vocab.Greet)}, {vocab.Talk, "tail", uint32(vocab.Tail)}, {vocab.Talk, "call", uint32(vocab.Call)},
		{vocab.Joints, "sequel", uint32(vocab.JointSequel)}, {vocab.Joints, "ask", uint32(vocab.JointAsk)},
	} {
		if got := at(tt.list, tt.name); uint32(1)<<got != tt.want {
			t.Errorf("%s of list %s is bit %d, want %b", tt.name, Specs[tt.list].Name, got, tt.want)
		}
	}
}
