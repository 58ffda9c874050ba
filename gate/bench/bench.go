// Package bench measures a router on labelled prompts.
//
// A prompt file is JSON Lines. Every line has
//
//	{"id","query","lang":"ko|mixed|en","class","kind","gold":[ids],"also_ok":[ids]}
//
// and its fields say what is measured on it (its Task):
//
//	search     gold: what a careful person wants; also_ok: skills that serve as well
//	composite  "steps":[[ids],…] besides: one list a step, any of its ids serves
//	gate       kind greeting, ack, command, native: nothing may be named; false_skip: must be searched
//	pair       "helpful", "risky": the sibling that must not be shown; "library": the library of the pair
//	boundary   gold and "not_above": a skill whose own description excludes the request
//
// Three public benchmarks are read in their own formats: SkillRetBench,
// SkillRouter's eval-core and BEIR folders.
//
// Measures, each a mean over the prompts it applies to. k counts places of the
// ranking in display order; an entry that another one holds back has no place.
//
//	hit@k          1 if any of gold or also_ok is in the first k
//	right shown    1 if any of gold or also_ok is named to the model
//	spoken         1 if anything is
//	excluded shown 1 if the skill that must not be named is
//	characters     added to the context, over a session
//	MRR@k          1/rank of the first of gold or also_ok, 0 past k; MRR: past the end of the list
//	R@k            share of gold in the first k
//	FC@k           1 if all of gold is
//	nDCG@k         sum of grade/log2(rank+1) over the first k by that of the ideal
//	               order; gold has grade 1 where no grades are given
//	MAP            mean over gold of the precision at its rank, 0 for what is not in the list
//	coverage@k     share of steps with any of their ids in the first k
//	HSR@k          1 if the risky sibling is in the first k
//	helpful above  1 if the helpful one has a place and the risky one none before it
//	boundary right 1 if one of gold is in the first 5 and not_above is not before it
//	skipped        1 if a greeting, acknowledgement or command is skipped without a search
//	wrongly skipped 1 if a false_skip is
//	reranked       1 if a model ordered the candidates, 0 if it was asked and did not
//
// Intervals are 95 %, by bootstrap over sources: prompts with the same owner, or that want the
// same skills, are drawn together. Nothing here is safe for concurrent use.
package bench

import "slices"

// Task says what is measured on a prompt.
type Task string

const (
	Search    Task = "search"
	Composite Task = "composite"
	Gate      Task = "gate"
	Pair      Task = "pair"
	Boundary  Task = "boundary"
)

// Kinds of gate prompts.
const (
	kindGreeting  = "greeting"
	kindAck       = "ack"
	kindCommand   = "command"
	kindNative    = "native"
	kindFalseSkip = "false_skip"
)

// Prompt is one labelled prompt.
type Prompt struct {
	ID       string             `json:"id"`
	Query    string             `json:"query"`
	Lang     string             `json:"lang"`  // "ko", "mixed", "en"; may be empty
	Class    string             `json:"class"` // how it is worded, or the setting of a public set
	Kind     string             `json:"kind"`
	Gold     []string           `json:"gold"`
	AlsoOK   []string           `json:"also_ok"`
	Steps    [][]string         `json:"steps"`
	Helpful  string             `json:"helpful"`
	Risky    string             `json:"risky"`
	Risk     string             `json:"risk"` // of a pair: stands for its class
	NotAbove string             `json:"not_above"`
	Library  string             `json:"library"` // which of the suite's libraries it is for
	Grades   map[string]float64 `json:"-"`       // relevance for nDCG; nil: 1 for each gold
	Groups   []string           `json:"-"`       // what it is reported under besides "all"
	Task     Task               `json:"-"`
	At       string             `json:"-"` // "file:line" or the like it was read from
}

func (p *Prompt) ids() []string {
	ids := slices.Concat(p.Gold, p.AlsoOK)
	for _, step := range p.Steps {
		ids = append(ids, step...)
	}
	for _, id := range []string{p.Helpful, p.Risky, p.NotAbove} {
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Record is one skill of a public set, in the form of a line of a library file.
type Record struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Body        string `json:"body"`
}
