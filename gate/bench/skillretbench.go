package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// LoadSkillRetBench reads a SkillRetBench folder: skill_corpus.json, skillretbench_queries.json and, if present,
// baseline_results.json. The group of a prompt is its setting. Errors name file and line.
func LoadSkillRetBench(dir string) (*Public, error) {
	p := &Public{Set: CaseSet{Name: "SkillRetBench", Measures: retBenchMeasures}}
	var corpus struct {
		Skills []struct {
			ID       string   `json:"skill_id"`
			Name     string   `json:"skill_name"`
			Desc     string   `json:"description"`
			Triggers []string `json:"trigger_phrases"`
			Korean   []string `json:"korean_triggers"`
			Anti     []string `json:"anti_triggers"`
			Text     string   `json:"full_text"`
		} `json:"skills"`
	}
	file := filepath.Join(dir, "skill_corpus.json")
	if err := readJSON(file, &corpus); err != nil {
		return nil, err
	}
	for _, s := range corpus.Skills {
		desc := withPhrases(s.Desc, "Use when the user says", s.Triggers)
		desc = withPhrases(desc, "Korean triggers:", s.Korean)
		desc = withPhrases(desc, "Do NOT use for", s.Anti)
		p.Records = append(p.Records, Record{ID: s.ID, Name: s.Name, Description: desc, Body: s.Text})
	}
	var asked struct {
		Queries []struct {
			ID      string   `json:"query_id"`
			Setting string   `json:"setting"`
			Query   string   `json:"query"`
			Gold    []string `json:"gold_skills"`
		} `json:"queries"`
	}
	file = filepath.Join(dir, "skillretbench_queries.json")
	if err := readJSON(file, &asked); err != nil {
		return nil, err
	}
	for i, q := range asked.Queries {
		at := fmt.Sprintf("%s: query %d", file, i+1)
		if err := p.ask(Prompt{ID: q.ID, Query: q.Query, Groups: []string{q.Setting}, Gold: q.Gold, At: at}); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	var err error
	p.Published, err = published(filepath.Join(dir, "baseline_results.json"))
	return p, err
}

func withPhrases(desc, lead string, phrases []string) string {
	var missing []string
	for _, phrase := range phrases {
		if phrase != "" && !strings.Contains(desc, phrase) {
			missing = append(missing, `"`+phrase+`"`)
		}
	}
	if len(missing) == 0 {
		return desc
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s.", desc, lead, strings.Join(missing, ", ")))
}

// published reads SkillRetBench's baseline results and renames the measures to those of this package. It returns nil if
// the file does not exist.
func published(file string) (Published, error) {
	var raw struct {
		Baselines map[string]map[string]map[string]any `json:"baselines"`
	}
	if err := readJSON(file, &raw); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	rename := strings.NewReplacer("recall@", "R@", "ndcg@", "nDCG@", "mrr", "MRR", "map", "MAP")
	out := Published{}
	for method, settings := range raw.Baselines {
		out[method] = map[string]map[string]float64{}
		for setting, measures := range settings {
			out[method][setting] = map[string]float64{}
			for name, value := range measures {
				if number, ok := value.(float64); ok {
					out[method][setting][rename.Replace(name)] = number
				}
			}
		}
	}
	return out, nil
}
