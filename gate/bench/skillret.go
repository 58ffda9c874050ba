package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// LoadSkillRet reads a SkillRet folder: skills/test.jsonl, queries/test.jsonl and, if present, qrels/test.jsonl. The
// qrels replace the skill_ids of the queries. Queries without a relevant skill are left out. Errors name file and line.
func LoadSkillRet(dir string) (*Public, error) {
	p := &Public{Set: CaseSet{Name: "SkillRet", Measures: skillRetMeasures}}
	at := func(part string) string { return filepath.Join(dir, part, "test.jsonl") }
	if err := p.readSkills(at("skills")); err != nil {
		return nil, err
	}
	var grades map[string]map[string]float64 // grades by query ID and skill ID
	var order map[string][]string            // graded skills by query ID, in file order
	err := EachLine(at("qrels"), func(_ int, text []byte) error {
		var l struct {
			Query string  `json:"query_id"`
			Skill string  `json:"skill_id"`
			Grade float64 `json:"relevance"`
		}
		if err := object(text, &l); err != nil || l.Grade <= 0 {
			return err
		}
		if grades == nil {
			grades, order = map[string]map[string]float64{}, map[string][]string{}
		}
		if grades[l.Query] == nil {
			grades[l.Query] = map[string]float64{}
		}
		grades[l.Query][l.Skill] = l.Grade
		order[l.Query] = append(order[l.Query], l.Skill)
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	queries := at("queries")
	err = EachLine(queries, func(line int, text []byte) error {
		var q struct {
			ID    string   `json:"id"`
			Query string   `json:"query"`
			Gold  []string `json:"skill_ids"`
		}
		if err := object(text, &q); err != nil {
			return err
		}
		if grades != nil {
			q.Gold = order[q.ID]
		}
		if len(q.Gold) == 0 {
			return nil
		}
		return p.ask(Prompt{ID: q.ID, Query: q.Query, Groups: []string{countKind(len(q.Gold))}, Gold: q.Gold,
			Grades: grades[q.ID], At: position(queries, line)})
	})
	if err == nil && len(p.Set.Prompts) == 0 {
		err = fmt.Errorf("%s: no query has a relevant skill", queries)
	}
	return p, err
}
