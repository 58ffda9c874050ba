// Package bench measures a router on labelled prompts.
//
// A prompt file is JSON Lines. Every line is an object
//
//	{"id","query","lang":"ko|mixed|en","class","kind","gold":[ids],"also_ok":[ids]}
//
// whose fields determine what is measured (the Task):
//
//	search     gold: skills that a careful person wants; also_ok: skills that serve as well
//	composite  also "steps":[[ids],…]: one list for each step, of which any id serves
//	gate       kind greeting, ack, command, native: no skill may be named; false_skip: must be searched
//	pair       "helpful", "risky": the sibling that must not be shown; "library": the library of the pair
//	boundary   gold and "not_above": a skill whose description excludes the request
//
// The public benchmarks SkillRetBench, SkillRouter's eval-core, SRA-Bench, SkillRet and BEIR are read in their own
// formats.
//
// Each measure is a mean over the prompts that it applies to. k counts places of the ranking; a candidate that another
// one holds back has no place.
//
//	hit@k          1 if any of gold or also_ok is in the first k
//	right shown    1 if any of gold or also_ok is named to the model
//	spoken         1 if any skill is named
//	excluded shown 1 if the skill that must not be named is named
//	characters     characters added to the context in a session
//	MRR@k          1/rank of the first of gold or also_ok, 0 if it is not in the first k
//	R@k            share of gold in the first k
//	FC@k           1 if all of gold is in the first k
//	nDCG@k         sum of grade/log2(rank+1) over the first k, divided by the same sum for the ideal
//	               order; without grades gold has grade 1
//	MAP            mean over gold of the precision at its rank, 0 for gold without a place
//	coverage@k     share of steps with any of their ids in the first k
//	HSR@k          1 if the risky sibling is in the first k
//	helpful above  1 if the helpful skill has a place and the risky one is not before it
//	boundary right 1 if any of gold is in the first 5 and not_above is not before it
//	skipped        1 if a greeting, acknowledgement or command is skipped without a search
//	wrongly skipped 1 if a false_skip is skipped
//	reranked       1 if a model ordered the candidates, 0 if it was asked and did not
//
// Intervals are 95 %, by bootstrap over sources: prompts of one owner and prompts that want the same skills are drawn
// together. Nothing in this package is safe for concurrent use.
package bench

import "slices"

// Task determines what is measured on a prompt.
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
	Class    string             `json:"class"` // wording, or the setting of a public set
	Kind     string             `json:"kind"`
	Gold     []string           `json:"gold"`
	AlsoOK   []string           `json:"also_ok"`
	Steps    [][]string         `json:"steps"`
	Helpful  string             `json:"helpful"`
	Risky    string             `json:"risky"`
	Risk     string             `json:"risk"` // class of a pair
	NotAbove string             `json:"not_above"`
	Library  string             `json:"library"` // suite library in which the prompt is searched
	Grades   map[string]float64 `json:"-"`       // relevance for nDCG by id; if nil, 1 for each gold
	Groups   []string           `json:"-"`       // groups in the report in addition to "all"
	Task     Task               `json:"-"`
	At       string             `json:"-"` // place that it was read from, usually "file:line"
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
