package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/rank"
)

// Miss is a skill that was used after prompts for which it was not named.
type Miss struct {
	Skill    string       `json:"skill"`
	Prompts  []MissPrompt `json:"prompts"`
	Gone     bool         `json:"gone"` // no such skill is indexed
	Proposal *Proposal    `json:"proposal,omitempty"`

	use journal.Outcome
}

// MissPrompt is one of them.
type MissPrompt struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt"`
	Why    string `json:"why"`
	source *Prompt
	new    []word // informative words of the prompt that the skill does not hold
}

// word is a concept of a prompt as the prompt writes it.
type word struct {
	surface string
	term    string
	unknown bool // Korean that the dictionary does not know
}

// Proposal is a trigger or a synonym that would have caught a miss and what
// accepting it does to the whole log. One of the two is set.
type Proposal struct {
	Trigger string         `json:"trigger,omitempty"` // to add to the skill's description
	Synonym *Synonym       `json:"synonym,omitempty"` // to add to the user's dictionary
	Catches int            `json:"catches"`           // of the miss's prompts
	Changes map[Change]int `json:"changes"`           // over the whole log
	Changed []Example      `json:"changed"`           // at most 10 of them

	triggers []string
	synonyms []Synonym
}

// Synonym is a Korean word that the dictionary lacks and what it may mean here.
type Synonym struct {
	Word string `json:"word"`
	En   string `json:"en"`
}

// Example is a changed prompt.
type Example struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt"`
	Change Change `json:"change"`
	Cause  string `json:"cause"`
}

// Misses collects the misses of a run's side B.
type Misses struct{ bySkill map[string]*Miss }

// Add looks at one result. g is open over side B's indexes; only the goroutine
// that calls Add may use it.
func (m *Misses) Add(r *Result, g *gate.Gate) {
	if r.Skipped != "" || r.B.Decision.Verdict == gate.Error {
		return
	}
	for _, u := range r.Prompt.used() {
		hit := slices.ContainsFunc(named(r.B.Decision), func(c *gate.Candidate) bool { return journal.SameUse(c.Name, c.Path, u.Skill, u.Path) })
		if hit {
			continue
		}
		if m.bySkill == nil {
			m.bySkill = map[string]*Miss{}
		}
		miss := m.bySkill[u.Skill]
		if miss == nil {
			miss = &Miss{Skill: u.Skill, use: u}
			m.bySkill[u.Skill] = miss
		}
		p := MissPrompt{ID: r.Prompt.ID, Prompt: bound(textOf(r.Prompt)), Why: missed(r.B.Decision, u), source: r.Prompt}
		if r.B.Decision.Verdict != gate.Skip && r.Prompt.Form() == Exact {
			p.new = newWords(r, u, g)
		}
		miss.Prompts = append(miss.Prompts, p)
	}
}

func textOf(p *Prompt) string {
	if p.Text == "" {
		return "[terms] " + strings.Join(p.Terms, " ")
	}
	return p.Text
}

// missed says why a skill was not named.
func missed(d *gate.Decision, u journal.Outcome) string {
	if d.Verdict == gate.Skip {
		return "pre-filter: " + string(d.Reason)
	}
	c := usedCandidate(d, u)
	switch {
	case c == nil && len(d.Candidates) == 0:
		return "no skill shares a word with the prompt"
	case c == nil:
		return "it is not among the first candidates: it shares too little with the prompt"
	case d.Reason == gate.BelowNeedMin:
		return fmt.Sprintf("need %.2f is under need_min; it was candidate %d", d.Need, c.Rank)
	case d.Reason == gate.PlainQuestion:
		return fmt.Sprintf("need %.2f is not enough for a plain question; it was candidate %d", d.Need, c.Rank)
	case d.Reason == gate.BelowScoreMin:
		return fmt.Sprintf("score %.2f is under score_min; it was candidate %d", c.Score, c.Rank)
	}
	return fmt.Sprintf("%s scored more: %s", first(d), termDifference(c.Matched, d.Candidates[0].Matched))
}

func usedCandidate(d *gate.Decision, u journal.Outcome) *gate.Candidate {
	for i := range d.Candidates {
		if c := &d.Candidates[i]; journal.SameUse(c.Name, c.Path, u.Skill, u.Path) {
			return c
		}
	}
	return nil
}

// newWords returns the informative words of a prompt that the skill's text, as
// far as it scored, does not hold.
func newWords(r *Result, u journal.Outcome, g *gate.Gate) []word {
	held := map[string]bool{}
	if c := usedCandidate(r.B.Decision, u); c != nil {
		for _, m := range c.Matched {
			if m.Field != index.Body.String() {
				held[m.Term] = true
			}
		}
	}
	var out []word
	for _, c := range g.Ranker().Parse(reading(r.Prompt).Text).Concepts {
		if c.Generic || held[c.Text] || strings.Contains(c.Text, "#") || incidental(c) {
			continue
		}
		if c.Korean && !c.Known && len([]rune(c.Text)) < 2 {
			continue
		}
		out = append(out, word{surface: c.Surface, term: c.Text, unknown: c.Korean && !c.Known})
	}
	return out
}

// incidental reports what belongs to one prompt alone: numbers, paths, links, files.
func incidental(c rank.Concept) bool { return strings.ContainsAny(c.Surface, "0123456789./_@:") }

// mostTrigger and longTrigger are how many words a proposed trigger has: one word
// fires on anything, a sentence on nothing else. The longer one is for skills that
// three words do not lift over the thresholds.
const (
	mostTrigger = 3
	longTrigger = 7

	mostSynonyms = 3 // each is tried over an index of its own
)

// List returns the misses, those with the most prompts first and those of skills
// that do not exist last. For the others it proposes what to try: the words that
// most of the prompts say and the skill's text does not.
func (m *Misses) List(exists func(skill string) bool) []Miss {
	out := make([]Miss, 0, len(m.bySkill))
	for _, miss := range m.bySkill {
		miss.Gone = !exists(miss.Skill)
		if !miss.Gone {
			miss.Proposal = propose(miss)
		}
		out = append(out, *miss)
	}
	slices.SortFunc(out, func(a, b Miss) int {
		return cmp.Or(one(a.Gone)-one(b.Gone), cmp.Compare(len(b.Prompts), len(a.Prompts)), cmp.Compare(a.Skill, b.Skill))
	})
	return out
}

func propose(miss *Miss) *Proposal {
	type count struct {
		word
		n, first int
	}
	counts := map[string]*count{}
	order := 0
	for _, p := range miss.Prompts {
		for _, w := range p.new {
			c := counts[w.term]
			if c == nil {
				c = &count{word: w, first: order}
				counts[w.term] = c
			}
			c.n++
			order++
		}
	}
	if len(counts) == 0 {
		return nil
	}
	list := make([]*count, 0, len(counts))
	for _, c := range counts {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *count) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.first, b.first)) })
	p := &Proposal{Changes: map[Change]int{}, Changed: []Example{}}
	name := miss.Skill[strings.LastIndexByte(miss.Skill, ':')+1:]
	for _, c := range list {
		if c.unknown && len(p.synonyms) < mostSynonyms {
			p.synonyms = append(p.synonyms, Synonym{c.term, strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' }), " ")})
		}
	}
	for _, n := range []int{mostTrigger, longTrigger} {
		head := slices.Clone(list[:min(len(list), n)])
		slices.SortFunc(head, func(a, b *count) int { return cmp.Compare(a.first, b.first) })
		var words []string
		for _, c := range head {
			if !slices.Contains(words, c.surface) {
				words = append(words, c.surface)
			}
		}
		if t := strings.Join(words, " "); !slices.Contains(p.triggers, t) {
			p.triggers = append(p.triggers, t)
		}
	}
	// A person's own words, where they are short enough to stand in a description.
	for _, prompt := range miss.Prompts {
		const most = 80 // bytes
		if text := strings.TrimSpace(prompt.source.Text); text != "" && len(text) <= most && !slices.Contains(p.triggers, text) {
			p.triggers = append(p.triggers, text)
			break
		}
	}
	return p
}

// Triggers returns the phrases that may be tried, the best guess first.
func (p *Proposal) Triggers() []string { return p.triggers }

// Synonyms returns the dictionary entries that may be tried, the best guess first.
func (p *Proposal) Synonyms() []Synonym { return p.synonyms }

// Source yields a miss's own prompts, to try a trigger on them first.
func (m *Miss) Source() Source {
	return func(_ context.Context, _ store.Filter, _ *Notes, yield func(*Prompt) error) error {
		for _, p := range m.Prompts {
			if err := yield(p.source); err != nil {
				return err
			}
		}
		return nil
	}
}

// Named reports whether a result's side B names the skill.
func (m *Miss) Named(r *Result) bool {
	return r.Skipped == "" && slices.ContainsFunc(named(r.B.Decision), func(c *gate.Candidate) bool {
		return journal.SameUse(c.Name, c.Path, m.use.Skill, m.use.Path)
	})
}

// contains reports whether a prompt is one of the miss.
func (m *Miss) contains(id string) bool {
	return slices.ContainsFunc(m.Prompts, func(p MissPrompt) bool { return p.ID == id })
}

// Use is one report of the skill's use.
func (m *Miss) Use() journal.Outcome { return m.use }

// Try counts one result of replaying the log with the proposal accepted.
func (p *Proposal) Try(m *Miss, r *Result) {
	if r.Skipped != "" {
		return
	}
	p.Changes[r.Change]++
	if m.contains(r.Prompt.ID) && m.Named(r) {
		p.Catches++
	}
	const most = 10
	if r.Change != Unchanged && len(p.Changed) < most {
		p.Changed = append(p.Changed, Example{r.Prompt.ID, bound(textOf(r.Prompt)), r.Change, r.Cause})
	}
}
