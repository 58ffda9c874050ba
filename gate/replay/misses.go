package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

// Miss is a skill that was used after prompts for which it was not named.
type Miss struct {
	Skill   string       `json:"skill"`
	Prompts []MissPrompt `json:"prompts"`
	Gone    bool         `json:"gone"` // no such skill is indexed
}

// MissPrompt is one of them.
type MissPrompt struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt"`
	Why    string `json:"why"`
}

// Misses collects the misses of a run's side B.
type Misses struct{ bySkill map[string]*Miss }

// Add looks at one result.
func (m *Misses) Add(r *Result) {
	if r.Skipped != "" || r.B.Decision.Verdict == gate.Error {
		return
	}
	turn := r.Prompt.Turn(r.B.Decision)
	seen := map[string]bool{}
	for _, u := range r.Prompt.Used() {
		if seen[u.Skill] || !slices.Contains(turn.Unnamed(), u.Skill) {
			continue
		}
		seen[u.Skill] = true
		if m.bySkill == nil {
			m.bySkill = map[string]*Miss{}
		}
		miss := m.bySkill[u.Skill]
		if miss == nil {
			miss = &Miss{Skill: u.Skill}
			m.bySkill[u.Skill] = miss
		}
		miss.Prompts = append(miss.Prompts, MissPrompt{r.Prompt.ID, bound(textOf(r.Prompt)), missed(r.B.Decision, u)})
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
	case d.Reason == gate.Deadline:
		return gate.CutShort
	case c == nil && len(d.Candidates) == 0:
		return "no skill shares a word with the prompt"
	case c == nil:
		return "it is not among the first candidates: it shares too little with the prompt"
	case d.Reason == gate.BelowNeedMin:
		return fmt.Sprintf("need %.2f is under need_min; it was candidate %d", d.Need, c.Rank)
	case d.Reason == gate.PlainQuestion:
		return fmt.Sprintf("need %.2f is not enough for a plain question; it was candidate %d", d.Need, c.Rank)
	case d.Reason == gate.ByChance:
		return fmt.Sprintf("need %.2f is not enough for words that a skill may hold by accident; it was candidate %d",
			d.Need, c.Rank)
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

// List returns the misses, those with the most prompts first and those of skills that do not exist last.
func (m *Misses) List(exists func(skill string) bool) []Miss {
	out := make([]Miss, 0, len(m.bySkill))
	for _, miss := range m.bySkill {
		miss.Gone = !exists(miss.Skill)
		out = append(out, *miss)
	}
	slices.SortFunc(out, func(a, b Miss) int {
		return cmp.Or(one(a.Gone)-one(b.Gone), cmp.Compare(len(b.Prompts), len(a.Prompts)), cmp.Compare(a.Skill, b.Skill))
	})
	return out
}
