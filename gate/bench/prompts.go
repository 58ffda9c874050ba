package bench

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
)

// ReadPromptFile reads a prompt file in this package's format, plain or gzip. The set is named after the file. Errors
// name file and line.
func ReadPromptFile(file string) (CaseSet, error) {
	f, err := os.Open(file)
	if err != nil {
		return CaseSet{}, err
	}
	defer f.Close()
	r, err := libraryfile.Unpacked(f)
	if err != nil {
		return CaseSet{}, fmt.Errorf("%s: %w", file, err)
	}
	prompts, err := ReadPrompts(file, r)
	if err != nil {
		return CaseSet{}, err
	}
	return CaseSet{Name: stem(file), Prompts: prompts, Measures: ownMeasures}, nil
}

func stem(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".jsonl")
}

// ReadPrompts reads prompts in this package's format from r, which errors call name. It fails with the line number on
// text that is not a JSON object, on a missing ID, query or label, and on a repeated ID. It also fails if there are no
// prompts.
func ReadPrompts(name string, r io.Reader) ([]Prompt, error) {
	var prompts []Prompt
	seen := once{}
	err := eachLine(name, r, func(line int, text []byte) error {
		p, err := parsePrompt(text)
		if err != nil {
			return err
		}
		p.At = position(name, line)
		prompts = append(prompts, p)
		return seen.add(p.ID, p.At)
	})
	if err != nil {
		return nil, err
	}
	if len(prompts) == 0 {
		return nil, fmt.Errorf("%s: the file has no prompts", name)
	}
	return prompts, nil
}

func parsePrompt(text []byte) (Prompt, error) {
	var p Prompt
	if err := object(text, &p); err != nil {
		return Prompt{}, err
	}
	p.Task = taskOf(&p)
	if p.Task == Pair && p.Class == "" {
		p.Class = p.Risk
	}
	if p.Kind == "" && p.Task == Search {
		p.Kind = countKind(len(p.Gold))
	}
	for _, g := range []string{p.Lang, p.Class, p.Kind} {
		if g != "" && !slices.Contains(p.Groups, g) {
			p.Groups = append(p.Groups, g)
		}
	}
	return p, checkPrompt(&p)
}

func taskOf(p *Prompt) Task {
	switch {
	case p.Helpful != "" || p.Risky != "":
		return Pair
	case p.NotAbove != "":
		return Boundary
	case len(p.Steps) > 0:
		return Composite
	}
	switch p.Kind {
	case kindGreeting, kindAck, kindCommand, kindNative, kindFalseSkip:
		return Gate
	}
	return Search
}

func countKind(gold int) string {
	if gold == 1 {
		return "single"
	}
	return "multi"
}

func checkPrompt(p *Prompt) error {
	if p.ID == "" {
		return errors.New(`no "id"`)
	}
	if p.Query == "" {
		return fmt.Errorf("%s: no \"query\"", p.ID)
	}
	switch p.Task {
	case Search, Boundary:
		if len(p.Gold) == 0 {
			return fmt.Errorf("%s: \"gold\" must have at least one id, unless \"kind\" is greeting, ack, command, "+
				"native or false_skip", p.ID)
		}
	case Pair:
		if p.Helpful == "" || p.Risky == "" {
			return fmt.Errorf("%s: \"helpful\" and \"risky\" must both be given", p.ID)
		}
		if p.Helpful == p.Risky {
			return fmt.Errorf("%s: \"helpful\" and \"risky\" must be different skills", p.ID)
		}
	case Composite:
		for i, step := range p.Steps {
			if len(step) == 0 {
				return fmt.Errorf("%s: step %d has no ids", p.ID, i+1)
			}
		}
	}
	for _, id := range p.ids() {
		if id == "" {
			return fmt.Errorf("%s: a skill id is empty", p.ID)
		}
	}
	for i, id := range p.Gold {
		if slices.Contains(p.Gold[:i], id) {
			return fmt.Errorf("%s: %s is listed twice in \"gold\"", p.ID, id)
		}
	}
	return nil
}

// Check returns an error with file and line for the first prompt that names a skill for which has returns false.
func (s *CaseSet) Check(has func(id string) bool) error {
	for i := range s.Prompts {
		p := &s.Prompts[i]
		for _, id := range p.ids() {
			if !has(id) {
				return fmt.Errorf("%s: %s: the library has no skill with the id %q", p.At, p.ID, id)
			}
		}
	}
	return nil
}
