// Package measure queries the gate's retriever with words that should find a skill. It reports the skill's rank and,
// if another skill ranks higher, which one. It does not depend on rules or skill files.
package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/ir"
)

// Results holds the results of a library's skills by ID.
type Results map[string]*Result

// Result holds the retrieval results of one skill.
type Result struct {
	Probes     []Probe
	Claims     []Claim            // results of the triggers in intent.yaml
	Requests   []findable.Request // requests that should find it, with ranks
	DesignOnly bool               // only Claims was measured
}

// Probe is one prompt that should find the skill.
type Probe struct {
	Text   string
	Quoted bool    // the skill quotes it as a user's words
	Place  int     // rank from 1; 0 if beyond 30
	First  string  // ID of the best hit if it is another skill
	Words  int     // number of words of the prompt that the index contains
	Share  float64 // if Words is 1: share of skills with the word in their name, description or triggers
}

// Claim is the retrieval result of one trigger in intent.yaml.
type Claim struct {
	Path    string // path of the trigger in intent.yaml, such as "triggers.ko.0"
	Trigger string
	Own     int     // rank of the skill, 0 if not found
	Other   string  // name of the best other skill, or ""
	Ratio   float64 // the other skill's score divided by this skill's; 0 if not found
	Head    float64 // Ratio computed from name, description and triggers only
	Sent    bool    // a boundary in intent.yaml names the other skill
}

// Skill describes the measurement of one skill.
type Skill struct {
	Entry   *catalog.Entry
	Prompts []Probe    // only Text and Quoted are set
	Given   []string   // requests from the author's trigger files and the log
	Written []string   // requests that a model wrote
	Most    int        // maximum number of requests generated from the description, for each language
	Intent  *ir.Intent // nil if the skill has no intent.yaml

	DesignOnly bool // measure only the triggers of Intent
}

// Prober measures skills one at a time. It must not be used concurrently.
type Prober struct{ *findable.Prober }

// Measure searches for a skill with its prompts and requests.
func (p *Prober) Measure(ctx context.Context, s Skill) (*Result, error) {
	m := &Result{DesignOnly: s.DesignOnly}
	doc := p.ByID[s.Entry.ID]
	if err := p.claims(ctx, s, doc, m); err != nil || s.DesignOnly {
		return m, err
	}
	searched := make([]string, len(s.Prompts))
	for i := range s.Prompts {
		searched[i] = s.Prompts[i].Text
	}
	asking := p.Ask(s.Entry, s.Given, s.Written, s.Most, searched)
	for _, one := range s.Prompts {
		probe, err := p.probe(ctx, doc, one)
		if err != nil {
			return nil, err
		}
		asking.Answer(one.Text)
		m.Probes = append(m.Probes, probe)
	}
	var err error
	m.Requests, err = asking.Places(ctx)
	return m, err
}

func (p *Prober) probe(ctx context.Context, doc uint32, probe Probe) (Probe, error) {
	hits, err := p.Search(ctx, probe.Text)
	if err != nil {
		return probe, err
	}
	probe.Place, _ = p.Place(doc)
	probe.Words = p.knownWords()
	if probe.Words == 1 {
		probe.Share = p.share(probe.Text)
	}
	if len(hits) > 0 && !p.Same(hits[0].Doc, doc) {
		probe.First = p.Docs[hits[0].Doc].ID
	}
	return probe, nil
}

func (p *Prober) knownWords() (n int) {
	for i := range p.Res.Query.Concepts {
		if c := &p.Res.Query.Concepts[i]; c.Known || c.IDF() > 0 {
			n++
		}
	}
	return n
}

func (p *Prober) claims(ctx context.Context, s Skill, doc uint32, m *Result) error {
	if s.Intent == nil {
		return nil
	}
	for _, code := range s.Intent.Languages() {
		for i, t := range s.Intent.Triggers[code] {
			hits, err := p.Search(ctx, t)
			if err != nil {
				return err
			}
			c := Claim{Path: fmt.Sprintf("triggers.%s.%d", code, i), Trigger: t}
			own := 0.0
			c.Own, own = p.Place(doc)
			for _, h := range hits {
				if p.Same(h.Doc, doc) {
					continue
				}
				c.Other = p.Docs[h.Doc].Name
				if own > 0 {
					c.Ratio, c.Head = h.Score/own, p.head(h.Doc)/p.head(doc)
				}
				c.Sent = slices.ContainsFunc(s.Intent.Boundaries,
					func(b ir.Boundary) bool { return strings.EqualFold(b.Use, c.Other) })
				break
			}
			m.Claims = append(m.Claims, c)
		}
	}
	return nil
}

func (p *Prober) head(doc uint32) float64 {
	sum := 0.0
	for _, m := range p.Ranker.Explain(&p.Res, doc) {
		switch m.Field {
		case index.Name, index.Description, index.Triggers:
			sum += m.Score
		}
	}
	return max(sum, 1e-9)
}

func (p *Prober) share(prompt string) float64 {
	best := 0.0
	for _, c := range p.Ranker.Parse(prompt).Concepts {
		for _, a := range c.Alts {
			base, _, _ := strings.Cut(a.Term, "#")
			best = max(best, float64(p.Heads(base))/float64(max(p.Snapshot.Skills, 1)))
		}
	}
	return best
}
