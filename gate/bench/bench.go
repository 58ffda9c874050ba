// Package bench measures how well a router chooses skills for labelled prompts.
//
// A prompt file is JSON Lines. Every line is an object
//
//	{"id","query","lang":"ko|mixed|en","class","kind","gold":[ids],"also_ok":[ids]}
//
// whose fields determine the prompt's Task:
//
//	search     gold: skills that a careful person wants; also_ok: other skills that help
//	composite  also "steps":[[ids],…]: for each step, the skills that help with it
//	gate       kind greeting, ack, command, native: no skill may be suggested; false_skip: must be searched
//	pair       "helpful", "risky": the right skill and its wrong sibling; "library": the library of both
//	boundary   gold and "not_above": a skill whose description excludes the request, so gold must rank higher
//
// The public benchmarks SkillRetBench, SkillRouter's eval-core, SRA-Bench, SkillRet and BEIR are read in their own
// formats.
//
// Each measure is a mean over the prompts that it applies to. Held-back candidates have no rank.
//
//	hit@k          1 if any of gold or also_ok is in the first k
//	right shown    1 if any of gold or also_ok is suggested to the model
//	spoken         1 if any skill is suggested
//	excluded shown 1 if the skill that must not be suggested is suggested
//	characters     characters added to the context in a session
//	MRR@k          1/rank of the first of gold or also_ok, 0 if it is not in the first k
//	R@k            share of gold in the first k
//	FC@k           1 if all of gold is in the first k
//	nDCG@k         sum of grade/log2(rank+1) over the first k, divided by the same sum for the ideal
//	               order; without grades gold has grade 1
//	MAP            mean over gold of the precision at its rank, 0 for unranked gold
//	coverage@k     share of steps with any of their ids in the first k
//	HSR@k          1 if the risky sibling is in the first k
//	helpful above  1 if the helpful skill is ranked and the risky one does not rank higher
//	boundary right 1 if any of gold is in the first 5 and not_above does not rank higher
//	skipped        1 if a greeting, acknowledgement or command is skipped without a search
//	wrongly skipped 1 if a false_skip is skipped
//	reranked       1 if a reranking model ordered the candidates, 0 if it was called but failed
//
// Intervals are 95 %, by bootstrap over sources: all prompts of a source are drawn together. Prompts with the same
// owner or the same right skills have the same source. Nothing in this package is safe for concurrent use.
package bench

import "slices"

// Task determines which measures apply to a prompt.
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
	Lang     string             `json:"lang"`  // "ko", "mixed", "en" or ""
	Class    string             `json:"class"` // kind of wording or, for pairs, kind of risk
	Kind     string             `json:"kind"`
	Gold     []string           `json:"gold"`
	AlsoOK   []string           `json:"also_ok"`
	Steps    [][]string         `json:"steps"`
	Helpful  string             `json:"helpful"`
	Risky    string             `json:"risky"`
	Risk     string             `json:"risk"` // kind of risk, for pairs
	NotAbove string             `json:"not_above"`
	Library  string             `json:"library"` // name of the library to search
	Grades   map[string]float64 `json:"-"`       // nDCG grades by skill ID; if nil, gold skills have grade 1
	Groups   []string           `json:"-"`       // report groups of the prompt besides "all"
	Task     Task               `json:"-"`
	At       string             `json:"-"` // source position, usually "file:line"
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

// Record is one skill of a public set, with the fields of a line of a library file.
type Record struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Body        string `json:"body"`
}
