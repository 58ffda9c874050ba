package enrich

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

var errAnswer = errors.New("the model's answer is not valid")

// parseAnswer parses a model's answer about skills. It returns the valid elements even if others are cut off or wrong,
// which the error reports. If two elements have the same number, it keeps the first.
func parseAnswer(text string, skills []Skill, languages []string) ([]Expansion, error) {
	start := strings.IndexAny(text, "{[")
	if start < 0 {
		return nil, fmt.Errorf("%w: it contains no JSON", errAnswer)
	}
	dec := json.NewDecoder(strings.NewReader(text[start:]))
	if err := enterList(dec); err != nil {
		return nil, fmt.Errorf("%w: %w", errAnswer, err)
	}
	got := make([]*Expansion, len(skills))
	var wrong error
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			wrong = fmt.Errorf("%w: it is cut off: %w", errAnswer, err)
			break
		}
		n, x, err := parseElement(raw, languages)
		switch {
		case err != nil:
			wrong = fmt.Errorf("%w: %w", errAnswer, err)
		case n < 1 || n > len(skills):
			wrong = fmt.Errorf("%w: it names skill %d, but the request had only skills 1 to %d", errAnswer, n, len(skills))
		case got[n-1] == nil:
			x.ID, x.Name, x.Hash = skills[n-1].ID, skills[n-1].Name, skills[n-1].Hash
			got[n-1] = &x
		}
	}
	var out []Expansion
	for _, x := range got {
		if x != nil {
			out = append(out, *x)
		}
	}
	if wrong == nil && len(out) < len(skills) {
		wrong = fmt.Errorf("%w: it covers only %d of %d skills", errAnswer, len(out), len(skills))
	}
	return out, wrong
}

// enterList reads tokens up to the first "[".
func enterList(dec *json.Decoder) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	for depth := 0; tok != json.Delim('['); depth++ {
		if depth > 8 {
			return errors.New("it contains no list")
		}
		if tok, err = dec.Token(); err != nil {
			return err
		}
	}
	return nil
}

func parseElement(raw json.RawMessage, languages []string) (int, Expansion, error) {
	var x Expansion
	var fixed struct {
		N  int      `json:"n"`
		Kw []string `json:"kw"`
	}
	if err := json.Unmarshal(raw, &fixed); err != nil {
		return 0, x, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return 0, x, err
	}
	for _, lang := range slices.Sorted(slices.Values(languages)) {
		var list []string
		if err := json.Unmarshal(all[lang], &list); err != nil {
			return 0, x, fmt.Errorf("skill %d: %s is not a list of strings", fixed.N, lang)
		}
		for _, text := range list {
			x.Phrases = append(x.Phrases, Phrase{Kind: lang, Text: text})
		}
	}
	for _, text := range fixed.Kw {
		x.Phrases = append(x.Phrases, Phrase{Kind: Keywords, Text: text})
	}
	return fixed.N, x, nil
}
