// Package enrich keeps expansions: requests and keywords that users would type for a skill, written once per content
// hash by a language model that the user already has. They are one more field of the index; none of them is executed
// or shown to the model.
//
// # Format
//
// An Expansion is one JSON object on a line. A file from elsewhere needs only the keys of the first line below; the
// store writes the others too:
//
//	{"id":"personal/pdf","ko":["…"],"en":["…"],"kw":["…"],
//	 "name":"pdf","hash":"9c1e…","schema":1,"provider":"claude",
//	 "model":"…","prompt":1,"date":"2026-01-31T09:00:00Z"}
//
// Every other key in the form of a language code with a list of strings contains the requests in that language.
// "requests" contains the requests in languages whose code is one of the keys above.
//
// # Trust
//
// The text of a skill is untrusted input to the provider: it is cut, delimited by a random word and declared to be
// data. The answer is untrusted input to skillgate: Checker accepts short single lines in the wanted language without
// markup, instructions to a model and names of other skills.
package enrich

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Schema is the version of Expansion's lines. Expansions of an older schema are requested again.
const Schema = 1

// Keywords is the Kind of a keyword. The Kind of a request is its language.
const Keywords = "kw"

// Phrase is one request or keyword.
type Phrase struct {
	Kind string // language code or Keywords
	Text string
}

// Expansion contains the phrases for one skill.
type Expansion struct {
	ID   string `json:"id"` // catalog ID
	Name string `json:"name,omitempty"`
	Hash string `json:"hash,omitempty"` // hash of the skill's text when the phrases were written; "" if unknown

	Phrases []Phrase `json:"-"` // sorted by kind, keywords last

	Schema   int       `json:"schema,omitempty"`
	Provider string    `json:"provider,omitempty"` // "claude" or "openai"
	Model    string    `json:"model,omitempty"`
	Prompt   int       `json:"prompt,omitempty"` // PromptVersion of the request
	Date     time.Time `json:"date,omitzero"`
}

// Texts returns the texts to index: each request, and all keywords as one text. In a measurement with held-out requests
// for 1,228 skills, separate texts for keywords ranked the right skill first 1 % less often.
func (x *Expansion) Texts() []string {
	var out, keywords []string
	for _, p := range x.Phrases {
		switch {
		case p.Kind == Keywords:
			keywords = append(keywords, p.Text)
		default:
			out = append(out, p.Text)
		}
	}
	if len(keywords) > 0 {
		out = append(out, strings.Join(keywords, ", "))
	}
	return out
}

// Kept returns the requests, without the keywords.
func (x *Expansion) Kept() []string {
	var out []string
	for _, p := range x.Phrases {
		if p.Kind != Keywords {
			out = append(out, p.Text)
		}
	}
	return out
}

// fields is Expansion without MarshalJSON and UnmarshalJSON.
type fields Expansion

type head struct {
	fields
	Requests map[string][]string `json:"requests,omitempty"`
}

var reserved = map[string]bool{
	"id": true, "name": true, "hash": true, "not": true, "learned": true, "schema": true,
	"provider": true,
	"model":    true, "prompt": true, "date": true, "requests": true, Keywords: true,
}

// isLanguage reports whether code has the form of a language code, such as "ko" or "pt-BR".
func isLanguage(code string) bool {
	base, region, found := strings.Cut(code, "-")
	if len(base) < 2 || len(base) > 3 || found && (len(region) < 2 || len(region) > 4) {
		return false
	}
	notLower := func(r rune) bool { return r < 'a' || r > 'z' }
	notLetter := func(r rune) bool { return notLower(r) && (r < 'A' || r > 'Z') }
	return !strings.ContainsFunc(base, notLower) && !strings.ContainsFunc(region, notLetter)
}

func (x Expansion) MarshalJSON() ([]byte, error) {
	x.Date = x.Date.UTC()
	h := head{fields: fields(x), Requests: map[string][]string{}}
	lists := map[string][]string{}
	for _, p := range x.Phrases {
		if p.Kind != Keywords && reserved[p.Kind] {
			h.Requests[p.Kind] = append(h.Requests[p.Kind], p.Text)
			continue
		}
		lists[p.Kind] = append(lists[p.Kind], p.Text)
	}
	text, err := marshal(h)
	if err != nil {
		return nil, err
	}
	if len(lists) == 0 {
		return text, nil
	}
	more, err := marshal(lists)
	if err != nil {
		return nil, err
	}
	return append(append(text[:len(text)-1], ','), more[1:]...), nil
}

func marshal(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

// UnmarshalJSON reads a line. It ignores unknown keys and does not check the texts.
func (x *Expansion) UnmarshalJSON(text []byte) error {
	var h head
	if err := json.Unmarshal(text, &h); err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	if h.ID == "" {
		return fmt.Errorf("id is missing")
	}
	lists := h.Requests
	if lists == nil {
		lists = map[string][]string{}
	}
	for key, raw := range all {
		if key != Keywords && (reserved[key] || !isLanguage(key)) {
			continue
		}
		var list []string
		if err := json.Unmarshal(raw, &list); err != nil {
			return fmt.Errorf("%s must be a list of strings", key)
		}
		lists[key] = append(lists[key], list...)
	}
	*x = Expansion(h.fields)
	for _, kind := range kinds(lists) {
		for _, t := range lists[kind] {
			x.Phrases = append(x.Phrases, Phrase{Kind: kind, Text: t})
		}
	}
	return nil
}

func kinds(lists map[string][]string) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(lists)) {
		if k != Keywords {
			out = append(out, k)
		}
	}
	if _, ok := lists[Keywords]; ok {
		out = append(out, Keywords)
	}
	return out
}
