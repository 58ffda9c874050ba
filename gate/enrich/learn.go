package enrich

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Limits of what is learned from use.
const (
	maxLearned    = 8                    // requests of one skill: few enough to read, and its other texts still count
	maxLearnedAge = 180 * 24 * time.Hour // since the last use: what people ask for changes
)

// Use is one request after which a skill was really used.
type Use struct {
	ID   string // catalog ID of the skill
	Name string
	Text string // the request, or what the user lets be kept of it
	Time time.Time
}

// Learn turns uses into what each skill learned, by catalog ID: requests that pass
// the checks every phrase passes, the most frequent and then the newest first, at
// most maxLearned of them, none older than maxLearnedAge. A request after which
// several skills were used teaches none of them. The same uses give the same result
// in any order.
func Learn(uses []Use, c *Checker, now time.Time) map[string][]Learned {
	type key struct{ id, text string }
	seen := map[key]*Learned{}
	owner := map[string]string{} // by text; "" where several skills claim it
	for _, u := range uses {
		text, why := clean(u.Text, minRequest, maxRequest)
		if why != "" || strings.Contains(text, "[redacted") || c.namesAnother(text, u.Name) {
			continue
		}
		folded := strings.ToLower(text)
		if id, known := owner[folded]; known && id != u.ID {
			owner[folded] = ""
			continue
		}
		owner[folded] = u.ID
		k := key{u.ID, folded}
		l := seen[k]
		if l == nil {
			l = &Learned{Text: text, First: u.Time.UTC(), Last: u.Time.UTC()}
			seen[k] = l
		}
		l.Count++
		if u.Time.Before(l.First) {
			l.First = u.Time.UTC()
		}
		if u.Time.After(l.Last) || u.Time.Equal(l.Last) && text < l.Text {
			l.Last, l.Text = u.Time.UTC(), text
		}
	}
	out := map[string][]Learned{}
	for k, l := range seen {
		if owner[k.text] == k.id && now.Sub(l.Last) <= maxLearnedAge {
			out[k.id] = append(out[k.id], *l)
		}
	}
	for id, list := range out {
		slices.SortFunc(list, func(a, b Learned) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), b.Last.Compare(a.Last), cmp.Compare(a.Text, b.Text))
		})
		out[id] = list[:min(len(list), maxLearned)]
	}
	return out
}

// Learning is what Store.Learn did.
type Learning struct {
	Requests int `json:"requests"`
	Skills   int `json:"skills"`
	Changed  int `json:"changed"`
}

// Learn makes got, by catalog ID, all that the store has learned for skills.
func (s *Store) Learn(skills []catalog.Entry, got map[string][]Learned) (Learning, error) {
	var r Learning
	was, names := map[string][]Learned{}, map[string]string{}
	for i := range skills {
		names[skills[i].ID] = skills[i].Name
	}
	for _, x := range s.All() {
		if was[x.ID] = x.Learned; len(x.Learned) > 0 && got[x.ID] == nil {
			names[x.ID] = "" // forgotten, or the skill is gone
		}
	}
	same := func(a, b Learned) bool {
		return a.Text == b.Text && a.Count == b.Count && a.First.Equal(b.First) && a.Last.Equal(b.Last)
	}
	for id, name := range names {
		list := got[id]
		if len(list) > 0 {
			r.Skills++
			r.Requests += len(list)
		}
		if slices.EqualFunc(list, was[id], same) {
			continue
		}
		r.Changed++
		if err := s.Put(Expansion{ID: id, Name: name, Learned: list, Schema: Schema}); err != nil {
			return r, err
		}
	}
	if r.Changed == 0 {
		return r, nil
	}
	return r, s.compact() // forgotten prompts must not stay in the file
}
