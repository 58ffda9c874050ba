package replay

import "strings"

// Texts keeps one copy of each text that many prompts hold: names and paths of skills, folders, versions. The copy
// of a text that was cut from a longer one does not hold that in memory.
type Texts map[string]string

// Share makes a prompt and its decision hold those copies.
func (t Texts) Share(p *Prompt) {
	t.one(&p.Source, &p.Session, &p.Cwd, &p.Client, &p.Level, &p.Lang, &p.Settings, &p.Policy, &p.Skillgate, &p.Analyzer)
	for i := range p.Uses {
		u := &p.Uses[i]
		t.one(&u.Tool, &u.Skill, &u.Path, &u.Source, &u.By)
	}
	d := p.Recorded
	if d == nil {
		return
	}
	t.one((*string)(&d.Verdict), (*string)(&d.Reason), &d.Lang, &d.Model)
	for i := range d.Candidates {
		c := &d.Candidates[i]
		t.one(&c.ID, &c.Name, &c.Path, &c.Pool)
		for j := range c.HeldBack {
			t.one(&c.HeldBack[j])
		}
		for j := range c.Matched {
			m := &c.Matched[j]
			t.one(&m.Term, &m.Via, &m.Field)
		}
	}
}

func (t Texts) one(texts ...*string) {
	for _, s := range texts {
		known, ok := t[*s]
		if !ok {
			known = strings.Clone(*s)
			t[known] = known
		}
		*s = known
	}
}
