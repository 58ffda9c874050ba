package bench

import (
	"fmt"
	"path/filepath"
	"slices"
)

// LoadSRABench reads an SRA-Bench folder: corpus/corpus.json and instances/*.json. The prompt of an instance is its
// question, and its groups are its data set and "single" or "multi". Instances without an annotated skill are left out.
// Errors name the file and the position in it.
func LoadSRABench(dir string) (*Public, error) {
	p := &Public{Set: CaseSet{Name: "SRA-Bench", Measures: sraMeasures, K: 50}}
	file := filepath.Join(dir, "corpus", "corpus.json")
	var skills []skill
	if err := readJSON(file, &skills); err != nil {
		return nil, err
	}
	for i := range skills {
		p.Records = append(p.Records, skills[i].record())
	}
	files, err := filepath.Glob(filepath.Join(dir, "instances", "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: the folder has no instances/*.json", dir)
	}
	slices.Sort(files)
	for _, file := range files {
		var instances []struct {
			ID       string   `json:"instance_id"`
			Set      string   `json:"dataset"`
			Question string   `json:"question"`
			Gold     []string `json:"skill_annotations"`
		}
		if err := readJSON(file, &instances); err != nil {
			return nil, err
		}
		for i, q := range instances {
			if len(q.Gold) == 0 {
				continue
			}
			at := fmt.Sprintf("%s: instance %d", file, i+1)
			groups := []string{q.Set, countKind(len(q.Gold))}
			err := p.ask(Prompt{ID: q.ID, Query: q.Question, Groups: groups, Gold: q.Gold, At: at})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", at, err)
			}
		}
	}
	return p, nil
}
