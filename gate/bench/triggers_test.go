package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skillgate/skillgate/gate"
)

func TestReadTriggerEvals(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"skills/bread/SKILL.md":                  "---\nname: bread\n---\n",
		"skills/bread/evals/trigger-evals.json":  `[{"query":"bake a loaf","should_trigger":true},{"query":"mend a tap","should_trigger":false}]`,
		"skills/taps/SKILL.md":                   "---\nname: taps\n---\n",
		"skills/taps/evals.json":                 `{"version":1,"queries":[{"query":"the tap drips","should_trigger":true}],"other":[1,2]}`,
		"skills/taps/data.json":                  `[{"query":"no answer"},{"x":1}]`,
		"skills/taps/broken.json":                `[{"query":`,
		"evals/lost.json":                        `[{"query":"whose is this","should_trigger":true}]`,
		"skills/bread/node_modules/x/evals.json": `[{"query":"installed","should_trigger":true}]`,
		"skills/bread/.cache/evals.json":         `[{"query":"hidden","should_trigger":true}]`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bread, taps := filepath.Join(dir, "skills/bread"), filepath.Join(dir, "skills/taps")
	got, err := ReadTriggerEvals(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []TriggerEval{
		{"bake a loaf", true, bread + "/SKILL.md"},
		{"mend a tap", false, bread + "/SKILL.md"},
		{"the tap drips", true, taps + "/SKILL.md"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err := ReadTriggerEvals(filepath.Join(dir, "evals")); err == nil {
		t.Errorf("a folder without skills: %v", got)
	}
}

type fixedRouter []gate.Candidate

func (r fixedRouter) Decide(string, int) gate.Decision {
	return gate.Decision{Candidates: r, Need: 0.7}
}

func TestAskTriggers(t *testing.T) {
	r := fixedRouter{{Name: "a", Path: "/a/SKILL.md", Injected: true}, {Name: "b", Path: "/b/SKILL.md", Injected: true}, {Name: "c", Path: "/c/SKILL.md"}}
	got := AskTriggers(r, []TriggerEval{{Skill: "/b/SKILL.md", Query: "q", ShouldTrigger: true},
		{Skill: "/c/SKILL.md", Query: "q", ShouldTrigger: true}, {Skill: "/d/SKILL.md", Query: "q"}})
	want := []Triggered{
		{Skill: "/b/SKILL.md", Query: "q", ShouldTrigger: true, Named: true, Rank: 2, Instead: []string{"a"}, Need: 0.7},
		{Skill: "/c/SKILL.md", Query: "q", ShouldTrigger: true, Rank: 3, Instead: []string{"a", "b"}, Need: 0.7},
		{Skill: "/d/SKILL.md", Query: "q", Instead: []string{"a", "b"}, Need: 0.7},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !got[0].Right() || got[1].Right() || !got[2].Right() {
		t.Error("named when it should be, and only then")
	}
}
