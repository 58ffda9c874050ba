package replay

import "github.com/skillgate/skillgate/gate/journal/store"

// Share replaces the texts of p and its decision with equal texts from t, to save memory.
func Share(t store.Texts, p *Prompt) {
	t.Share(&p.Source, &p.Session, &p.Cwd, &p.Client, &p.Level, &p.Lang, &p.Settings, &p.Skillgate)
	for i := range p.Uses {
		u := &p.Uses[i]
		t.Share(&u.Tool, &u.Skill, &u.Path, &u.Source, &u.By)
	}
	d := p.Recorded
	if d == nil {
		return
	}
	t.Share((*string)(&d.Verdict), (*string)(&d.Reason), &d.Lang, &d.Model)
	for i := range d.Candidates {
		c := &d.Candidates[i]
		t.Share(&c.ID, &c.Name, &c.Path, &c.Pool)
		for j := range c.HeldBack {
			t.Share(&c.HeldBack[j])
		}
		for j := range c.Matched {
			m := &c.Matched[j]
			t.Share(&m.Term, &m.Via, &m.Field)
		}
	}
}
