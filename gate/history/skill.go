// Package history says how skills fared over time: one skill's page, and what changed from
// one week to the next, with what no longer works and since when.
package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/replay"
)

// Skill is what is known of one skill.
type Skill struct {
	Name  string        `json:"name"`
	Asked int           `json:"asked"` // prompts that asked for it by name, typed or in words
	Named outcome.Tally `json:"named"` // answers that named it, and what came of that
	Used  int           `json:"used"`  // prompts after which the model used it
	// Of Used, it was not named; the others name what stood first in its place, and
	// for what it stood first in theirs.
	Missed     int         `json:"missed"`
	StolenBy   []Count     `json:"stolen_by"`
	StealsFrom []Count     `json:"steals_from"`
	Words      []Word      `json:"words"` // that found it where it was used, those that weighed most first
	Weeks      []SkillWeek `json:"weeks"` // oldest first
	Examples   []SkillMiss `json:"examples"`
	Kept       int         `json:"kept"` // hints that an experiment kept back
}

// Count is a name and how often.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Word is a word of prompts that found the skill.
type Word struct {
	Term    string  `json:"term"` // as the prompt has it
	Score   float64 `json:"score"`
	Prompts int     `json:"prompts"`
}

// SkillWeek is one week of a skill.
type SkillWeek struct {
	From   time.Time `json:"from"` // Monday
	Named  int       `json:"named"`
	Used   int       `json:"used"`
	Missed int       `json:"missed"`
}

// Skills returns the weeks of every skill that was named, or used by the model, oldest first. Uses of what an
// experiment kept back are left out.
func Skills(prompts []*replay.Prompt, zone *time.Location) map[string][]SkillWeek {
	out := map[string][]SkillWeek{}
	for _, p := range prompts {
		if p.Recorded == nil {
			continue
		}
		week := func(name string) *SkillWeek {
			out[name] = inWeek(out[name], monday(p.Time.In(zone)))
			return &out[name][len(out[name])-1]
		}
		turn := p.Turn(p.Recorded)
		for _, n := range turn.Named {
			w := week(n.Name)
			w.Named, w.Used = w.Named+1, w.Used+one(turn.Of(n) == outcome.Followed)
		}
		for _, name := range turn.Unnamed() {
			w := week(name)
			w.Used, w.Missed = w.Used+1, w.Missed+1
		}
	}
	return out
}

// inWeek makes the week that begins then the last of weeks.
func inWeek(weeks []SkillWeek, from time.Time) []SkillWeek {
	if n := len(weeks); n > 0 && weeks[n-1].From.Equal(from) {
		return weeks
	}
	return append(weeks, SkillWeek{From: from})
}

// SkillMiss is a prompt after which it was used without being named.
type SkillMiss struct {
	ID     string    `json:"id"`
	Time   time.Time `json:"time"`
	Prompt string    `json:"prompt"`
}

const (
	mostWords    = 12
	mostExamples = 5
)

// Of collects what prompts tell about the skill of a name; weeks begin on Mondays of zone.
func Of(name string, prompts []*replay.Prompt, zone *time.Location) Skill {
	s := Skill{Name: name, StolenBy: []Count{}, StealsFrom: []Count{}, Words: []Word{}, Weeks: []SkillWeek{},
		Examples: []SkillMiss{}}
	is := func(other, path string) bool { return journal.SameUse(other, path, name, "") }
	stolen, steals, words := map[string]int{}, map[string]int{}, map[string]*Word{}
	for _, p := range prompts {
		d := p.Recorded
		if d == nil {
			continue
		}
		turn := p.Turn(d)
		named, used, kept := false, false, false
		for _, n := range turn.Named {
			if is(n.Name, n.Path) {
				named = true
				s.Named.Add(p.Session, turn.Of(n), p.Over)
			}
		}
		for _, n := range turn.Kept {
			kept = kept || is(n.Name, n.Path)
		}
		others := map[string]bool{}
		for _, u := range p.Uses {
			switch {
			case !u.Success:
			case u.Tool == journal.ToolTyped:
				if is(u.Skill, u.Path) {
					s.Asked++
				}
			case is(u.Skill, u.Path):
				used = true
			default:
				others[u.Skill] = true
			}
		}
		if named && d.Verdict == gate.Force {
			s.Asked++
		}
		missed := used && !named && !kept
		first := ""
		if len(turn.Named) > 0 {
			first = turn.Named[0].Name
		}
		switch {
		case missed && first != "":
			stolen[first]++
		case is(first, "") && first != "" && !used:
			for other := range others {
				steals[other]++
			}
		}
		if kept {
			s.Kept++
		}
		if used {
			s.Used++
			learn(words, d, is)
		}
		if missed {
			s.Missed++
			s.Examples = append(s.Examples, SkillMiss{p.ID, p.Time, p.Text})
		}
		if named || used {
			s.Weeks = inWeek(s.Weeks, monday(p.Time.In(zone)))
			w := &s.Weeks[len(s.Weeks)-1]
			w.Named, w.Used, w.Missed = w.Named+one(named), w.Used+one(used), w.Missed+one(missed)
		}
	}
	s.Named.Close()
	s.StolenBy, s.StealsFrom = counts(stolen), counts(steals)
	for _, w := range words {
		s.Words = append(s.Words, *w)
	}
	slices.SortFunc(s.Words, func(a, b Word) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Term, b.Term))
	})
	s.Words = s.Words[:min(len(s.Words), mostWords)]
	s.Examples = s.Examples[max(0, len(s.Examples)-mostExamples):]
	return s
}

// learn adds the words by which a decision found the skill.
func learn(words map[string]*Word, d *gate.Decision, is func(name, path string) bool) {
	for _, c := range d.Candidates {
		if !is(c.Name, c.Path) {
			continue
		}
		seen := map[string]bool{}
		for _, m := range c.Matched {
			if m.Term == "" || m.Score <= 0 {
				continue // not kept, at log.prompts: hash
			}
			w := words[m.Term]
			if w == nil {
				w = &Word{Term: m.Term}
				words[m.Term] = w
			}
			if w.Score += m.Score; !seen[m.Term] {
				seen[m.Term] = true
				w.Prompts++
			}
		}
	}
}

func counts(m map[string]int) []Count {
	out := []Count{}
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	return out
}

// monday is the start of a time's week in its zone.
func monday(t time.Time) time.Time {
	back := (int(t.Weekday()) + 6) % 7
	return time.Date(t.Year(), t.Month(), t.Day()-back, 0, 0, 0, 0, t.Location())
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
