package bench

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/findable"
)

// TriggerEval is one query of a trigger-evaluation file: should the skill that the file
// belongs to be used for it?
type TriggerEval struct {
	Query         string
	ShouldTrigger bool
	Skill         string // path of the SKILL.md in the nearest folder above
}

// ReadTriggerEvals reads the trigger-evaluation files of a folder, at any depth, as authors of
// skills publish them: a .json file below a skill's folder that is a list of
// {"query","should_trigger"} objects, or an object of which a member is such a list.
// Other files are passed over. Hidden folders and node_modules are not read.
func ReadTriggerEvals(dir string) ([]TriggerEval, error) {
	var out []TriggerEval
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if path != dir && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if fi, err := e.Info(); filepath.Ext(path) != ".json" || err != nil || !fi.Mode().IsRegular() ||
			fi.Size() > findable.MaxTriggerFile {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		skill := skillAbove(dir, filepath.Dir(path))
		if skill == "" {
			return nil
		}
		for _, q := range findable.Queries(text) {
			out = append(out, TriggerEval{Query: q.Text, ShouldTrigger: q.Should, Skill: skill})
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf(`%s: no trigger-evaluation file below a skill; want a .json list of `+
			`{"query","should_trigger"} beside a SKILL.md`, dir)
	}
	return out, err
}

// skillAbove is the SKILL.md of the nearest folder from folder up to top that has one.
func skillAbove(top, folder string) string {
	for {
		file := filepath.Join(folder, "SKILL.md")
		if _, err := os.Stat(file); err == nil {
			return file
		}
		if folder == top || len(folder) <= len(top) {
			return ""
		}
		folder = filepath.Dir(folder)
	}
}

// Triggered is what a router made of one query.
type Triggered struct {
	Skill         string   `json:"skill"` // path of its SKILL.md
	Query         string   `json:"query"`
	ShouldTrigger bool     `json:"should_trigger"`
	Named         bool     `json:"named"` // the skill is among those named
	Rank          int      `json:"rank"`  // its place in the ranking, 0: not in the first 20
	Instead       []string `json:"instead"`
	Need          float64  `json:"need"`
}

// Right says whether the skill is named when it should be, and only then.
func (t Triggered) Right() bool { return t.Named == t.ShouldTrigger }

// AskTriggers gives the queries to r. Instead are the skills that are named beside or in
// place of the one meant.
func AskTriggers(r Router, evals []TriggerEval) []Triggered {
	out := make([]Triggered, 0, len(evals))
	for _, e := range evals {
		d := r.Decide(e.Query, DefaultK)
		t := Triggered{Skill: e.Skill, Query: e.Query, ShouldTrigger: e.ShouldTrigger, Need: d.Need, Instead: []string{}}
		for i, c := range d.Candidates {
			switch {
			case c.Path == e.Skill:
				t.Named = c.Injected
				if i < DefaultK {
					t.Rank = i + 1
				}
			case c.Injected && !slices.Contains(t.Instead, c.Name):
				t.Instead = append(t.Instead, c.Name)
			}
		}
		out = append(out, t)
	}
	return out
}
