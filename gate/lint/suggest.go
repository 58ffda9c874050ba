package lint

import (
	"context"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
)

// Suggestion is an alternative description of a skill with its measured effect.
type Suggestion struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Path        string  `json:"path"`
	Description string  `json:"description"`
	Asked       int     `json:"requests"` // number of requests that should find the skill and that the writer did not see
	Before      Places  `json:"before"`   // ranks with the present description
	After       Places  `json:"after"`
	Checked     int     `json:"checked"`           // number of requests for which a similar skill ranked first
	Lost        []Meant `json:"lost"`              // checked requests for which that skill no longer ranks first
	Kept        bool    `json:"kept"`              // the measurements support the suggestion
	Refused     string  `json:"refused,omitempty"` // why the suggestion is not kept

	asked  []string
	theirs []Meant
}

// Meant is a request meant for another skill.
type Meant struct {
	ID     string `json:"id"`
	Prompt string `json:"prompt"`
}

// Places counts the requests for which a skill ranks first and among the first five.
type Places struct {
	First  int     `json:"first"`
	Five   int     `json:"five"`
	Margin float64 `json:"margin"` // mean lead over the best other skill (findable.Margin)
}

// FewestAsked is the minimum number of requests needed to judge a suggestion.
const FewestAsked = 3

const mostLost = 0.01    // maximum share of Checked that may be Lost
const leastMargin = 0.05 // minimum gain in Margin

// Suggest prepares the comparison of a new description of s with the old one. It selects the requests that should find
// s and do not occur verbatim in description, and requests for which skills similar to the old or new description rank
// first. It measures the ranks with r, an index with the old description.
func Suggest(ctx context.Context, l *Library, r *findable.Retriever, s *Skill, description string,
	requests []string) (*Suggestion, error) {
	x := &Suggestion{ID: s.ID, Name: s.Name, Path: s.Src.Path, Description: description, Lost: []Meant{}}
	for _, text := range requests {
		if !strings.Contains(strings.ToLower(description), strings.ToLower(strings.Trim(text, " .!?"))) {
			x.asked = append(x.asked, text)
		}
	}
	x.Asked = len(x.asked)
	p := r.Prober()
	var err error
	if x.Before, err = x.places(ctx, p); err != nil {
		return nil, err
	}
	near := map[string]bool{s.ID: true}
	for _, text := range []string{s.Description, description} {
		hits, err := p.Search(ctx, text)
		if err != nil {
			return nil, err
		}
		for _, h := range slices.Clone(hits) {
			id := p.Docs[h.Doc].ID
			other := l.byID[id]
			if near[id] || other == nil {
				continue
			}
			near[id] = true
			for _, prompt := range other.prompts(maxProbes) {
				first, err := isFirst(ctx, p, id, prompt.Text)
				if err != nil {
					return nil, err
				}
				if first {
					x.theirs = append(x.theirs, Meant{id, prompt.Text})
				}
			}
		}
	}
	x.Checked = len(x.theirs)
	return x, nil
}

// Judge repeats the requests on r, an index with the new description, and sets Kept.
func (x *Suggestion) Judge(ctx context.Context, r *findable.Retriever) (err error) {
	p := r.Prober()
	if x.After, err = x.places(ctx, p); err != nil {
		return err
	}
	for _, one := range x.theirs {
		first, err := isFirst(ctx, p, one.ID, one.Prompt)
		if err != nil {
			return err
		}
		if !first {
			x.Lost = append(x.Lost, one)
		}
	}
	switch {
	case x.Asked < FewestAsked:
		x.Refused = "there are too few known requests to judge it"
	case x.After.Five < x.Before.Five || x.After.Margin < x.Before.Margin+leastMargin:
		x.Refused = "it does not improve the ranks for requests that the model had not seen"
	case float64(len(x.Lost)) > mostLost*float64(x.Checked):
		x.Refused = "other skills would lose requests to this skill"
	}
	x.Kept = x.Refused == ""
	return nil
}

func (x *Suggestion) places(ctx context.Context, p *findable.Prober) (out Places, err error) {
	for _, text := range x.asked {
		if _, err := p.Search(ctx, text); err != nil {
			return out, err
		}
		place, own, rival := p.PlaceEdited(p.ByID[x.ID], new(index.Edit))
		out.Margin += findable.Margin(own, rival) / float64(len(x.asked))
		if place == 1 {
			out.First++
		}
		if place <= reach {
			out.Five++
		}
	}
	return out, nil
}

func isFirst(ctx context.Context, p *findable.Prober, id, prompt string) (bool, error) {
	hits, err := p.Search(ctx, prompt)
	return len(hits) > 0 && p.Same(hits[0].Doc, p.ByID[id]), err
}

// Nearest returns at most n skills that best match the description of s.
func (l *Library) Nearest(ctx context.Context, r *findable.Retriever, s *Skill, n int) ([]*catalog.Entry, error) {
	p := r.Prober()
	hits, err := p.Search(ctx, s.Name+"\n"+s.Description)
	if err != nil {
		return nil, err
	}
	var out []*catalog.Entry
	for _, h := range hits {
		if other := l.byID[p.Docs[h.Doc].ID]; other != nil && !p.Same(h.Doc, p.ByID[s.ID]) && other.Name != s.Name &&
			len(out) < n {
			out = append(out, &other.Entry)
		}
	}
	return out, nil
}
