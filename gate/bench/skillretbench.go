package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// LoadSkillRetBench reads a SkillRetBench folder: skill_corpus.json,
// skillretbench_queries.json and, where it is there, baseline_results.json. The
// class of a prompt is its setting. Errors name file and line.
func LoadSkillRetBench(dir string) (*Public, error) {
	p := &Public{Set: Set{Name: "SkillRetBench", Style: SkillRetBench}}
	corpus := filepath.Join(dir, "skill_corpus.json")
	skills := once{}
	err := eachElement(corpus, "skills", func(line int, value json.RawMessage) error {
		var raw struct {
			ID       string   `json:"skill_id"`
			Name     string   `json:"skill_name"`
			Desc     string   `json:"description"`
			Triggers []string `json:"trigger_phrases"`
			Korean   []string `json:"korean_triggers"`
			Anti     []string `json:"anti_triggers"`
			Text     string   `json:"full_text"`
		}
		if err := object(value, &raw); err != nil {
			return err
		}
		desc := raw.Desc
		desc = withPhrases(desc, "Use when the user says", raw.Triggers)
		desc = withPhrases(desc, "Korean triggers:", raw.Korean)
		desc = withPhrases(desc, "Do NOT use for", raw.Anti)
		p.Records = append(p.Records, Record{ID: raw.ID, Name: raw.Name, Description: desc, Body: raw.Text,
			At: position(corpus, line)})
		return skills.add(raw.ID, line)
	})
	if err != nil {
		return nil, err
	}
	queries := filepath.Join(dir, "skillretbench_queries.json")
	seen := once{}
	err = eachElement(queries, "queries", func(line int, value json.RawMessage) error {
		var raw struct {
			ID      string   `json:"query_id"`
			Setting string   `json:"setting"`
			Query   string   `json:"query"`
			Gold    []string `json:"gold_skills"`
		}
		if err := object(value, &raw); err != nil {
			return err
		}
		q := Prompt{ID: raw.ID, Query: raw.Query, Class: raw.Setting, Gold: raw.Gold, Task: Search,
			At: position(queries, line)}
		p.Set.Prompts = append(p.Set.Prompts, q)
		if err := checkPrompt(&q); err != nil {
			return err
		}
		return seen.add(raw.ID, line)
	})
	if err != nil {
		return nil, err
	}
	p.Published, err = published(filepath.Join(dir, "baseline_results.json"))
	return p, err
}

// withPhrases adds to a description the phrases that it does not hold itself.
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

// published reads the results that come with SkillRetBench, renaming the
// measures to ours; nil where there are none.
func published(file string) (Published, error) {
	text, err := readDocument(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var raw struct {
		Baselines map[string]map[string]map[string]any `json:"baselines"`
	}
	if err := plainJSON(json.Unmarshal(text, &raw)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
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
