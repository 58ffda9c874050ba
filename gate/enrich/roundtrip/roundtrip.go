// Package roundtrip checks expansions against the library they are for: does a
// skill win the requests that were written for it, and does it steal those of its
// neighbours?
//
// Each request is searched with its own text taken out of its skill's expansion
// (leave one out), so that it is found, if it is, by the skill's own words and its
// other phrases. A skill that only its expansion puts above the owner steals the
// request, and the phrase without which it would not is a thief.
//
// Two kinds of phrases are to be dropped: one that is off topic, of which its own
// skill knows next to nothing once it is held out while another skill knows much;
// and a thief that leads to others' skills itself and costs more of them a request
// than it wins its own. Everything else stays as it is.
//
// The requests come from the model that wrote the expansions, so the rates flatter
// it; what counts is the difference between with and without.
package roundtrip

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
)

// Rates are shares of held-out requests, 0 to 1.
type Rates struct {
	First float64 `json:"first"` // the skill came first
	Five  float64 `json:"five"`  // it was among the first five
}

// Report is the outcome of a check.
type Report struct {
	Skills   int   `json:"skills"`   // with an expansion
	Requests int   `json:"requests"` // held out and searched
	With     Rates `json:"with"`     // with the other phrases of every expansion
	Without  Rates `json:"without"`  // with no expansion at all

	Near      int     `json:"near"`       // near misses searched
	NearRight float64 `json:"near_right"` // share in which the neighbour came before the skill
	Thieves   []Thief `json:"thieves"`    // phrases that are to be dropped, worst first
}

// Thief is a phrase that is to be dropped.
type Thief struct {
	ID   string   `json:"id"`
	Name string   `json:"name"`
	Text string   `json:"text"`
	Why  string   `json:"why"`
	From []string `json:"from"` // names of the skills whose requests it takes
	Wins int      `json:"wins"` // requests of its own skill that are found first through it
}

const (
	// minVictims is from how many skills a phrase must take a request: a few
	// neighbours may be as good an answer.
	minVictims = 4

	// offTopic is the share of the best skill's score below which a request, itself
	// held out, is none of its skill's. With every tenth of 6,138 requests moved to a
	// random skill it finds 80 % of those and 1 % of the others.
	offTopic = 0.15
)

// depth is how many competitors of a request are looked at.
const depth = 10

// skill is one skill under check.
type skill struct {
	enrich.Expansion
	doc    uint32
	groups []int // position in Phrases of each group's text, -1 for what was learned
}

// checker is one check under way.
type checker struct {
	ranker *rank.Ranker
	plain  *rank.Ranker // expansions count nothing
	snap   *index.Snapshot
	skills []skill
	byDoc  map[uint32]*skill

	victims map[phrase]map[string]bool
	wins    map[phrase]int
	found   map[phrase]found
	met     map[uint32]bool // came up for a request
}

// found is where a request led, itself held out.
type found struct {
	place int     // of its skill
	first string  // name of the skill that came first
	share float64 // its skill's score in that of the first
}

// phrase is one phrase of one skill.
type phrase struct {
	doc uint32
	at  int // in Phrases
}

// Options of a check.
type Options struct {
	// Only limits the check to these skills by ID and to those that come up for their
	// requests; nil checks all.
	Only     map[string]bool
	Progress func(done, total int) // may be nil
}

// Check searches the requests of list, whose texts snap must hold. open returns a
// ranker on snap with given weights. Check leaves list as it is: Drop marks what is
// to be dropped.
func Check(ctx context.Context, snap *index.Snapshot, open func(rank.Weights) *rank.Ranker, list []enrich.Expansion,
	o Options) (Report, error) {
	w := rank.DefaultWeights()
	c := &checker{
		ranker: open(w), snap: snap, byDoc: map[uint32]*skill{},
		victims: map[phrase]map[string]bool{}, wins: map[phrase]int{}, found: map[phrase]found{}, met: map[uint32]bool{},
	}
	w.Field[index.Expansion], w.Request = 0, 0
	c.plain = open(w)
	c.ranker.Remember()
	c.plain.Remember()
	if err := c.find(list); err != nil {
		return Report{}, err
	}
	var todo, others []*skill
	for i := range c.skills {
		s := &c.skills[i]
		if o.Only == nil || o.Only[s.ID] {
			todo = append(todo, s)
		} else {
			others = append(others, s)
		}
	}
	var sum sums
	if err := c.all(ctx, todo, &sum, o.Progress); err != nil {
		return Report{}, err
	}
	// Neighbours are searched for what the skills under check take from them.
	neighbours := slices.DeleteFunc(others, func(s *skill) bool { return !c.met[s.doc] })
	if err := c.all(ctx, neighbours, &sums{}, nil); err != nil {
		return Report{}, err
	}
	report := Report{
		Skills: len(todo), Requests: sum.requests, Near: sum.near, Thieves: []Thief{},
		With: rates(sum.with, sum.requests), Without: rates(sum.without, sum.requests),
	}
	if sum.near > 0 {
		report.NearRight = float64(sum.right) / float64(sum.near)
	}
	for _, t := range c.thieves() {
		if o.Only == nil || o.Only[t.ID] {
			report.Thieves = append(report.Thieves, t)
		}
	}
	return report, nil
}

// sums counts outcomes.
type sums struct {
	requests      int
	with, without [2]int
	near, right   int
}

// all searches every request and near miss of some skills.
func (c *checker) all(ctx context.Context, skills []*skill, sum *sums, progress func(done, total int)) error {
	for i, s := range skills {
		for g, at := range s.groups {
			if at < 0 || s.Phrases[at].Kind == enrich.Keywords {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			with, without, err := c.request(ctx, s, at, 1<<g)
			if err != nil {
				return err
			}
			sum.requests++
			count(&sum.with, with)
			count(&sum.without, without)
		}
		for _, n := range s.Near {
			ok, known, err := c.near(ctx, s, n)
			if err != nil {
				return err
			}
			if known {
				sum.near++
				sum.right += ok
			}
		}
		if progress != nil {
			progress(i+1, len(skills))
		}
	}
	return nil
}

func count(n *[2]int, place int) {
	if place == 1 {
		n[0]++
	}
	if place <= 5 {
		n[1]++
	}
}

func rates(n [2]int, total int) Rates {
	if total == 0 {
		return Rates{}
	}
	return Rates{float64(n[0]) / float64(total), float64(n[1]) / float64(total)}
}

// find maps the expansions to documents. Those of skills that the index does not
// hold are left out.
func (c *checker) find(list []enrich.Expansion) error {
	docs := make(map[string]uint32, c.snap.Docs())
	for n := range uint32(c.snap.Docs()) {
		if c.snap.Dead(n) {
			continue
		}
		d, err := c.snap.Doc(n)
		if err != nil {
			return err
		}
		docs[d.ID] = n
	}
	for _, x := range list {
		doc, ok := docs[x.ID]
		if !ok || len(x.Texts()) == 0 {
			continue
		}
		s := skill{Expansion: x, doc: doc}
		// The order is that of Texts.
		keywords := -1
		for i, p := range x.Phrases {
			switch {
			case p.Dropped != "":
			case p.Kind == enrich.Keywords:
				keywords = i
			default:
				s.groups = append(s.groups, i)
			}
		}
		for range x.Learned {
			s.groups = append(s.groups, -1)
		}
		if keywords >= 0 {
			s.groups = append(s.groups, keywords)
		}
		if len(s.groups) > index.MaxGroups-1 {
			s.groups = s.groups[:index.MaxGroups-1] // the rest cannot be told apart
		}
		c.skills = append(c.skills, s)
	}
	slices.SortFunc(c.skills, func(a, b skill) int { return cmp.Compare(a.ID, b.ID) })
	for i := range c.skills {
		c.byDoc[c.skills[i].doc] = &c.skills[i]
	}
	return nil
}

// request searches a request of s with the groups in mask held out and returns the
// skill's place with and without expansions, and notes thieves and helpers.
func (c *checker) request(ctx context.Context, s *skill, at int, mask uint16) (with, without int, err error) {
	q := c.plain.Parse(s.Phrases[at].Text)
	res, err := c.plain.Search(ctx, q)
	if err != nil {
		return 0, 0, err
	}
	without = place(c.plain.ScoreWithout(&res, s.doc, index.AllGroups), c.plain.Top(&res, depth, c.rivals(s)))

	if res, err = c.ranker.Search(ctx, q); err != nil {
		return 0, 0, err
	}
	own := c.ranker.ScoreWithout(&res, s.doc, mask)
	hits := c.ranker.Top(&res, depth, c.rivals(s))
	with = place(own, hits)
	for _, h := range hits {
		c.met[h.Doc] = true
	}
	f := found{place: with, share: 1}
	if with > 1 && len(hits) > 0 {
		f.share = own / hits[0].Score
		if t := c.byDoc[hits[0].Doc]; t != nil {
			f.first = t.Name
		}
	}
	c.found[phrase{s.doc, at}] = f
	c.blame(&res, s, own, hits)
	if with == 1 && len(hits) > 0 {
		for g, at := range s.groups {
			if mask>>g&1 == 0 && at >= 0 && c.ranker.ScoreWithout(&res, s.doc, mask|1<<g) < hits[0].Score {
				c.wins[phrase{s.doc, c.within(s, at, &res)}]++
			}
		}
	}
	return with, without, nil
}

// near searches a near miss of s and reports 1 where the neighbour that owns it
// comes before s.
func (c *checker) near(ctx context.Context, s *skill, n enrich.Near) (right int, known bool, err error) {
	at := slices.IndexFunc(c.skills, func(o skill) bool { return o.Name == n.Skill })
	if at < 0 {
		return 0, false, nil
	}
	owner := &c.skills[at]
	res, err := c.ranker.Search(ctx, c.ranker.Parse(n.Text))
	if err != nil {
		return 0, false, err
	}
	own := c.ranker.ScoreWithout(&res, owner.doc, 0)
	rival := rank.Hit{Doc: s.doc, Score: c.ranker.ScoreWithout(&res, s.doc, 0)}
	if own > rival.Score {
		return 1, true, nil
	}
	c.blame(&res, owner, own, []rank.Hit{rival})
	return 0, true, nil
}

// rivals accepts the documents that compete with s: not itself, its copies or its
// namesakes.
func (c *checker) rivals(s *skill) func(doc uint32) bool {
	family := c.snap.Family(s.doc)
	return func(doc uint32) bool {
		if doc == s.doc || family != 0 && c.snap.Family(doc) == family {
			return false
		}
		other := c.byDoc[doc]
		return other == nil || other.Name == "" || other.Name != s.Name
	}
}

func place(own float64, rivals []rank.Hit) int {
	if own <= 0 {
		return depth + 1
	}
	n := 1
	for _, h := range rivals {
		if h.Score > own {
			n++
		}
	}
	return n
}

// blame finds, for every rival above the owner of a request, the phrase without
// which it would not be.
func (c *checker) blame(res *rank.Result, owner *skill, own float64, rivals []rank.Hit) {
	if own <= 0 {
		return // the owner was not found at all: nobody took it from it
	}
	for _, h := range rivals {
		t := c.byDoc[h.Doc]
		if t == nil || h.Score <= own || c.ranker.ScoreWithout(res, h.Doc, index.AllGroups) > own {
			continue
		}
		for g, at := range t.groups {
			if at < 0 || c.ranker.ScoreWithout(res, h.Doc, 1<<g) > own {
				continue
			}
			p := phrase{t.doc, c.within(t, at, res)}
			if c.victims[p] == nil {
				c.victims[p] = map[string]bool{}
			}
			c.victims[p][owner.Name] = true
		}
	}
}

// within returns the phrase at a position, or, where it stands for all keywords,
// the keyword that meets most of the search.
func (c *checker) within(s *skill, at int, res *rank.Result) int {
	if s.Phrases[at].Kind != enrich.Keywords {
		return at
	}
	best, top := at, 0.0
	for i, p := range s.Phrases {
		if p.Kind != enrich.Keywords || p.Dropped != "" {
			continue
		}
		found := c.ranker.Terms(p.Text)
		sum := 0.0
		for _, concept := range res.Query.Concepts {
			if slices.ContainsFunc(concept.Alts, func(a rank.Alt) bool { return slices.Contains(found, a.Term) }) {
				sum += concept.Weight * concept.IDF()
			}
		}
		if sum > top {
			best, top = i, sum
		}
	}
	return best
}

func (c *checker) thieves() []Thief {
	var out []Thief
	for p, f := range c.found {
		from := c.victims[p]
		why := ""
		switch {
		case f.share <= offTopic:
			why = "off topic"
			if f.first != "" {
				why += ", it asks for " + f.first
			}
		case f.place > 5 && len(from) > c.wins[p] && (len(from) >= minVictims || from[f.first]):
			why = "steals from " + names(slices.Sorted(maps.Keys(from)))
		default:
			continue
		}
		s := c.byDoc[p.doc]
		out = append(out, Thief{
			ID: s.ID, Name: s.Name, Text: s.Phrases[p.at].Text, Why: why,
			From: append([]string{}, slices.Sorted(maps.Keys(from))...), Wins: c.wins[p],
		})
	}
	slices.SortFunc(out, func(a, b Thief) int {
		return cmp.Or(cmp.Compare(len(b.From), len(a.From)), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Text, b.Text))
	})
	return out
}

// Drop marks the thieves as dropped in the store and returns how many skills that concerned.
func Drop(known *enrich.Store, thieves []Thief) (int, error) {
	byID := map[string][]Thief{}
	for _, t := range thieves {
		byID[t.ID] = append(byID[t.ID], t)
	}
	n := 0
	for id, list := range byID {
		x, _, ok := known.Get(id, "")
		changed := false
		for _, t := range list {
			changed = ok && x.DropPhrase(t.Text, t.Why) || changed
		}
		if !changed {
			continue
		}
		x.Learned = nil // kept on a line of their own
		if err := known.Put(x); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// names lists the first three of some names.
func names(list []string) string {
	if len(list) > 3 {
		return strings.Join(list[:3], ", ") + " and others"
	}
	return strings.Join(list, ", ")
}
