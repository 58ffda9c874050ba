package bench

import (
	"fmt"
	"path/filepath"
	"slices"
)

// LoadSkillRouter reads SkillRouter's eval-core folder: tasks.jsonl, relevance.json and the skill files of tier, which
// is "easy" or "hard". Excluded tasks and tasks of type generic_only are left out. The groups of a prompt are its type
// and "single" or "multi". Only the gold skills must exist, because relevance.json also grades skills that are not in
// every tier. Errors name file and line.
func LoadSkillRouter(dir, tier string) (*Public, error) {
	if tier != "easy" && tier != "hard" {
		return nil, fmt.Errorf("tier is %q but must be easy or hard", tier)
	}
	p := &Public{Set: CaseSet{Name: "SkillRouter " + tier, Measures: skillRouterMeasures, K: 50}}
	if err := p.readShards(filepath.Join(dir, tier)); err != nil {
		return nil, err
	}
	type label struct {
		Gold   []string           `json:"gt_skill_ids"`
		Grades map[string]float64 `json:"relevance"`
		Type   string             `json:"task_type"`
	}
	relevance := filepath.Join(dir, "relevance.json")
	var labels map[string]label // labels by task ID
	if err := readJSON(relevance, &labels); err != nil {
		return nil, err
	}
	tasks := filepath.Join(dir, "tasks.jsonl")
	seen := once{}
	err := EachLine(tasks, func(line int, text []byte) error {
		var raw struct {
			ID       string `json:"task_id"`
			Text     string `json:"instruction_text"`
			Excluded bool   `json:"excluded"`
		}
		if err := object(text, &raw); err != nil {
			return err
		}
		at := position(tasks, line)
		if err := seen.add(raw.ID, at); err != nil {
			return err
		}
		l, ok := labels[raw.ID]
		if !ok {
			return fmt.Errorf("task %q is not in %s", raw.ID, relevance)
		}
		if raw.Excluded || l.Type == "generic_only" {
			return nil
		}
		return p.ask(Prompt{ID: raw.ID, Query: raw.Text, Groups: []string{l.Type, countKind(len(l.Gold))}, Gold: l.Gold,
			Grades: l.Grades, At: at})
	})
	if err != nil {
		return nil, err
	}
	for id := range labels {
		if _, ok := seen[id]; !ok {
			return nil, fmt.Errorf("%s: task %q is not in %s", relevance, id, tasks)
		}
	}
	return p, nil
}

func (p *Public) readShards(dir string) error {
	var shards []string
	for _, pattern := range []string{"*.jsonl.gz", "*.jsonl"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		shards = append(shards, found...)
	}
	if len(shards) == 0 {
		return fmt.Errorf("%s: the folder has no .jsonl.gz files", dir)
	}
	slices.Sort(shards)
	for _, shard := range shards {
		if err := p.readSkills(shard); err != nil {
			return err
		}
	}
	return nil
}
