package bench

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// LoadBEIR reads a BEIR folder: corpus.jsonl, queries.jsonl and qrels/test.tsv. The last has a header line, then query
// ID, corpus ID and grade, separated by tabs. A query becomes a prompt if it has documents with a grade above 0, which
// are its gold. Errors name file and line.
func LoadBEIR(dir string) (*Public, error) {
	p := &Public{Set: CaseSet{Name: "BEIR " + base(dir), Measures: beirMeasures}}
	if err := p.readSkills(filepath.Join(dir, "corpus.jsonl")); err != nil {
		return nil, err
	}
	queries := map[string]string{} // query texts by ID
	var order []string
	file := filepath.Join(dir, "queries.jsonl")
	seen := once{}
	err := EachLine(file, func(line int, text []byte) error {
		var raw struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		if err := object(text, &raw); err != nil {
			return err
		}
		if err := seen.add(raw.ID, position(file, line)); err != nil {
			return err
		}
		queries[raw.ID] = raw.Text
		order = append(order, raw.ID)
		return nil
	})
	if err != nil {
		return nil, err
	}
	prompts := map[string]*Prompt{}
	qrels := filepath.Join(dir, "qrels", "test.tsv")
	err = EachLine(qrels, func(line int, text []byte) error {
		fields := strings.Split(string(text), "\t")
		if len(fields) != 3 {
			return fmt.Errorf("the line has %d columns instead of 3 (query-id, corpus-id and score)", len(fields))
		}
		grade, err := strconv.ParseFloat(fields[2], 64)
		if line == 1 && err != nil {
			return nil // header line
		}
		if err != nil || math.IsNaN(grade) || math.IsInf(grade, 0) {
			return fmt.Errorf("score %q is not a number", fields[2])
		}
		q, ok := queries[fields[0]]
		if !ok {
			return fmt.Errorf("query %q is not in %s", fields[0], file)
		}
		if grade <= 0 {
			return nil
		}
		prompt := prompts[fields[0]]
		if prompt == nil {
			prompt = &Prompt{ID: fields[0], Query: q, Task: Search, Grades: map[string]float64{}, At: position(qrels, line)}
			prompts[fields[0]] = prompt
		}
		prompt.Gold = append(prompt.Gold, fields[1])
		prompt.Grades[fields[1]] = grade
		return checkPrompt(prompt)
	})
	if err != nil {
		return nil, err
	}
	for _, id := range order {
		if prompt := prompts[id]; prompt != nil {
			prompt.Groups = []string{countKind(len(prompt.Gold))}
			p.Set.Prompts = append(p.Set.Prompts, *prompt)
		}
	}
	if len(p.Set.Prompts) == 0 {
		return nil, fmt.Errorf("%s: no query has a document with a grade above 0", qrels)
	}
	return p, nil
}
