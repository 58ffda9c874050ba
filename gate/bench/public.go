package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Public holds the skills and prompts of a public benchmark.
type Public struct {
	Records   []Record
	Set       CaseSet
	Published Published // nil if the benchmark does not come with results

	asked once // IDs of the prompts read so far
}

func (p *Public) ask(q Prompt) error {
	if p.asked == nil {
		p.asked = once{}
	}
	q.Task = Search
	p.Set.Prompts = append(p.Set.Prompts, q)
	return cmp.Or(p.asked.add(q.ID, q.At), checkPrompt(&q))
}

// skill is a document of any public set. The sets use different field names.
type skill struct {
	ID      string `json:"id"`
	SkillID string `json:"skill_id"`
	BEIR    string `json:"_id"`

	Name  string `json:"name"`
	Title string `json:"title"`

	Desc string `json:"description"`

	Body    string `json:"body"`
	Content string `json:"content"`
	File    string `json:"skill_md"`
	Text    string `json:"text"`
}

func (s *skill) record() Record {
	return Record{ID: cmp.Or(s.ID, s.SkillID, s.BEIR), Name: cmp.Or(s.Name, s.Title), Description: s.Desc,
		Body: cmp.Or(s.Body, s.Content, s.File, s.Text)}
}

func (p *Public) readSkills(file string) error {
	return EachLine(file, func(_ int, text []byte) error {
		var s skill
		err := object(text, &s)
		p.Records = append(p.Records, s.record())
		return err
	})
}

// Rows returns the published results as table rows, with one set per method.
func (p *Public) Rows(library string) []Row {
	var out []Row
	for _, method := range slices.Sorted(maps.Keys(p.Published)) {
		for _, setting := range slices.Sorted(maps.Keys(p.Published[method])) {
			r := Row{Set: p.Set.Name + ", " + method, Library: library, Group: setting, Cells: map[string]Cell{}}
			for measure, value := range p.Published[method][setting] {
				r.Cells[measure] = Cell{Mean: value}
			}
			out = append(out, r)
		}
	}
	return out
}

// Published holds published results by method, setting and measure. Measures have the names of this package.
type Published map[string]map[string]map[string]float64

const maxDocument = 256 << 20 // bytes; SkillRetBench's 501 skills take less than 10 MB

func readJSON(file string, into any) error {
	fi, err := os.Stat(file)
	if err != nil {
		return err
	}
	if fi.Size() > maxDocument {
		return fmt.Errorf("%s has %d bytes, more than the limit of %d", file, fi.Size(), int64(maxDocument))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	at := file
	err = json.Unmarshal(text, into)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = position(file, 1+bytes.Count(text[:syntax.Offset], []byte("\n")))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, plainJSON(err))
	}
	return nil
}

// once maps each ID of a set to the position where it first occurred.
type once map[string]string

func (o once) add(id, at string) error {
	if id == "" {
		return fmt.Errorf("the id is missing")
	}
	if first, ok := o[id]; ok {
		return fmt.Errorf("duplicate id %q, first used at %s", id, first)
	}
	o[id] = at
	return nil
}

func position(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

func base(dir string) string { return filepath.Base(filepath.Clean(dir)) }
