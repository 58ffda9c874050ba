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
// The id of a sibling written for a pair starts with "sib/"; a pair's direction
// is which of its two is the right one. A prompt with a "library" is measured
// only when a library of that name is loaded.
//
// Three public benchmarks are read in their own formats: SkillRetBench,
// SkillRouter's eval-core and BEIR folders.
//
// Measures, each a mean over the prompts it applies to. k counts places of the
// ranking in display order; an entry that another one holds back has no place.
//
//	hit@k          1 if any of gold or also_ok is in the first k
//	strict hit@k   1 if any of gold is
//	MRR@k          1/rank of the first of gold or also_ok, 0 past k; MRR: past the end of the list
//	R@k            share of gold in the first k
//	FC@k           1 if all of gold is
//	nDCG@k         sum of grade/log2(rank+1) over the first k by that of the ideal
//	               order; gold has grade 1 where no grades are given
//	MAP            mean over gold of the precision at its rank, 0 for what is not in the list
//	coverage@k     share of steps with any of their ids in the first k
//	injected       share of prompts that get an injection (verdict inject or force)
//	gated hit      1 if injected and any of gold or also_ok is among the injected
//	HSR@k          1 if the risky sibling is in the first k
//	helpful above  1 if the helpful one has a place and the risky one none before it
//	boundary right 1 if one of gold is in the first 5 and not_above is not before it
//	skipped        share of greeting, ack and command prompts skipped without a search
//	chat injected, native injected, wrongly skipped: what must not happen, by kind
//
// In R, FC, nDCG and MAP a skill of also_ok whose body is the same text as that
// of a gold skill, white space aside, stands for it.
//
// The standard error of a mean is the standard deviation over the prompts
// divided by the square root of their number; for a rate p that is
// sqrt(p(1-p)/n). Nothing here is safe for concurrent use.
package bench

import (
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
)

// Router answers one prompt as the hook would, with up to k candidates in
// display order.
type Router interface {
	Decide(prompt string, k int) gate.Decision
}

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
	Library  string             `json:"library"` // name of the library it is for, "" for any
	Grades   map[string]float64 `json:"-"`       // relevance for nDCG; nil: 1 for each gold
	Task     Task               `json:"-"`
	At       string             `json:"-"` // "file:line" or the like it was read from
}

// ids lists every skill the prompt names and the loaded library must hold.
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

// Direction says for a pair which of its two is the right one: "original right"
// or "sibling right"; "" for other tasks.
func (p *Prompt) Direction() string {
	switch {
	case p.Task != Pair:
		return ""
	case strings.HasPrefix(p.Helpful, "sib/"):
		return "sibling right"
	default:
		return "original right"
	}
}

// Set is a group of prompts reported together.
type Set struct {
	Name    string
	Prompts []Prompt
	Style   Style
}

// Style chooses the measures that a set's table shows.
type Style string

const (
	Own           Style = "" // this package's format
	SkillRetBench Style = "skillretbench"
	SkillRouter   Style = "skillrouter"
	BEIR          Style = "beir"
)

// Record is one skill of a library.
type Record struct {
	ID          string
	Name        string
	Description string
	Body        string
	At          string // "file:line" or path it was read from, for messages
}
