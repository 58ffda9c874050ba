package lint

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/findable"
)

// Advice says why a skill is found as it is, and the smallest addition that would mend it.
type Advice struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Score    Score    `json:"score"`
	Missed   []Missed `json:"missed"`          // requests of its own that do not find it first
	Add      []string `json:"add,omitempty"`   // phrases of its body for its description
	After    *Score   `json:"after,omitempty"` // with them; nil where there is none to add
	Checked  []Meant  `json:"-"`               // requests of its neighbours, which must stay theirs
	Taken    []Meant  `json:"taken,omitempty"` // of those, the ones that it would take; then there is nothing to add
	Refused  string   `json:"refused,omitempty"`
	requests []findable.Request
}

// Missed is a request that finds another skill, or none, first.
type Missed struct {
	Prompt string        `json:"prompt"`
	Kind   findable.Kind `json:"kind"`
	Place  int           `json:"place"`           // findable.Depth+1 stands for all beyond
	With   int           `json:"with"`            // its place with what Advice adds
	First  string        `json:"first,omitempty"` // ID of the skill in its place
	By     string        `json:"by,omitempty"`    // the word that puts that one first
}

// Meant is a request that another skill gives as its own.
type Meant struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt"`
}

const (
	mostAdded    = 3    // phrases that are added to a description
	leastGain    = 0.05 // of the mean 1/place of its requests: what a phrase must bring
	mostOffered  = 40   // phrases of a body that are tried
	nearest      = 10   // skills that answer to a phrase, whose requests must stay theirs
	longestAdded = 60   // bytes
)

// Advise explains how requests find s among the skills of r, which l.Measured is of, and looks
// for the fewest and shortest phrases of its body that make more of them find it first and take
// no request from another skill.
func Advise(ctx context.Context, l *Library, r *findable.Retriever, s *Skill) (*Advice, error) {
	a := &Advice{ID: s.ID, Name: s.Name, Path: s.Src.Path}
	m := l.measured(s)
	if m == nil {
		return a, nil
	}
	p := &prober{Prober: r.Prober()}
	a.requests = m.Evidence.Requests
	best, err := p.places(ctx, s, a.requests, [][]string{nil})
	if err != nil {
		return nil, err
	}
	offered := s.offers(p)
	for len(a.Add) < mostAdded && len(offered) > 0 {
		sets := make([][]string, len(offered))
		for i, phrase := range offered {
			sets[i] = append(slices.Clone(a.Add), phrase)
		}
		places, err := p.places(ctx, s, a.requests, sets)
		if err != nil {
			return nil, err
		}
		i := 0
		for k := range places {
			longer := cmp.Compare(len(offered[i]), len(offered[k]))
			if cmp.Or(cmp.Compare(found(places[k]), found(places[i])), longer) > 0 {
				i = k
			}
		}
		if found(places[i]) < found(best[0])+leastGain {
			break
		}
		phrase := offered[i]
		offered = slices.Delete(offered, i, i+1)
		took, err := p.takes(ctx, l, s, phrase, a)
		if err != nil {
			return nil, err
		}
		if !took {
			a.Add, best[0] = sets[i], places[i]
		}
	}
	return a, p.missed(ctx, a, s, best[0])
}

// places returns, for each set of phrases, the place of every request.
func (p *prober) places(ctx context.Context, s *Skill, requests []findable.Request, sets [][]string) ([][]int, error) {
	out := make([][]int, len(sets))
	for _, r := range requests {
		one, err := p.PlacesWith(ctx, &s.Entry, r, sets)
		if err != nil {
			return nil, err
		}
		for i, place := range one {
			out[i] = append(out[i], place)
		}
	}
	return out, nil
}

// found is the mean of 1/place.
func found(places []int) float64 {
	sum := 0.0
	for _, place := range places {
		sum += 1 / float64(place)
	}
	return sum / float64(max(len(places), 1))
}

// offers lists the phrases of the body that say what the description does not: what users say
// according to it, and its headings and the items of its lists where they are short.
func (s *Skill) offers(p *prober) []string {
	said, _ := s.bodyTriggers()
	list := slices.Concat(said, s.examples())
	s.eachLine(func(line bodyLine) bool {
		text := strings.TrimSpace(line.text)
		if line.code || line.fence || text == "" {
			return true
		}
		if plain := strings.TrimLeft(text, "#-*+ "); plain != text {
			list = append(list, strings.Trim(plain, " *:."))
		}
		return true
	})
	var out []string
	seen := map[string]bool{}
	for _, phrase := range list {
		key := strings.ToLower(phrase)
		if len(out) == mostOffered {
			break
		}
		plain := sayable(phrase) && !strings.ContainsAny(phrase, "`\"“”'/\\<>:")
		if !seen[key] && len(phrase) <= longestAdded && plain && p.News(&s.Entry, phrase) > 0 {
			seen[key] = true
			out = append(out, phrase)
		}
	}
	return out
}

// takes reports whether s with a phrase more would be first for a request of one of the skills
// that answer to the phrase. What was checked is kept in a.
func (p *prober) takes(ctx context.Context, l *Library, s *Skill, phrase string, a *Advice) (bool, error) {
	hits, err := p.Search(ctx, phrase)
	if err != nil {
		return false, err
	}
	doc := p.ByID[s.ID]
	var near []*Skill
	for _, h := range hits[:min(len(hits), nearest)] {
		if other := l.byID[p.Docs[h.Doc].ID]; other != nil && !p.Same(h.Doc, doc) {
			near = append(near, other)
		}
	}
	for _, other := range near {
		for _, prompt := range other.prompts(fewProbes) {
			if hits, err = p.Search(ctx, prompt.Text); err != nil {
				return false, err
			}
			if len(hits) == 0 || !p.Same(hits[0].Doc, p.ByID[other.ID]) {
				continue
			}
			asked := findable.Request{Text: prompt.Text, Kind: findable.Given}
			places, err := p.PlacesWith(ctx, &s.Entry, asked, [][]string{append(slices.Clone(a.Add), phrase)})
			if err != nil {
				return false, err
			}
			if places[0] == 1 {
				return true, nil
			}
			a.Checked = append(a.Checked, Meant{other.ID, prompt.Text})
		}
	}
	return false, nil
}

// missed fills in the requests that do not find s first; with are their places with what is added.
func (p *prober) missed(ctx context.Context, a *Advice, s *Skill, with []int) error {
	doc := p.ByID[s.ID]
	for i, r := range a.requests {
		if r.Place == 1 {
			continue
		}
		one := Missed{Prompt: r.Text, Kind: r.Kind, Place: r.Place, With: with[i], First: r.First}
		if _, err := p.Search(ctx, r.Text); err != nil {
			return err
		}
		if first, ok := p.ByID[r.First]; ok {
			if x, ok := p.decides(first, doc); ok {
				one.By = p.say(x)
			}
		}
		a.Missed = append(a.Missed, one)
	}
	return nil
}

// Takes lists the checked requests that s is first for in r, where its text was changed.
func (a *Advice) Takes(ctx context.Context, r *findable.Retriever) (out []Meant, err error) {
	p := r.Prober()
	for _, one := range a.Checked {
		hits, err := p.Search(ctx, one.Prompt)
		if err != nil {
			return nil, err
		}
		if len(hits) > 0 && p.Same(hits[0].Doc, p.ByID[a.ID]) {
			out = append(out, one)
		}
	}
	return out, nil
}
