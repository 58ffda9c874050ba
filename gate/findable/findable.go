// Package findable estimates how surely requests for a skill find it among the others.
//
// A skill is searched for, with the ranking that answers prompts, by its own requests: the
// trigger phrases that it gives, and the clauses of its description. Each is taken out of
// the skill's text before its place is counted (leave one out), so that a skill is not
// found by what was copied from it. Requests without a telling word beside the skill's
// name ("use when the user asks to run NAME", "just in case") are neither asked nor
// scored: no such phrase raises an estimate.
//
// Two logistic models over these places, and over how rare the skill's words are among the
// others, estimate the share of users' requests that find the skill first and among the
// first five. Their weights (weights.txt) are fitted to test sets of other people's
// prompts by `skillgate-dev train grade`. Prompts that are known to be meant for the skill
// (its author's trigger file, the user's log) are asked as they are and weighed against
// the model, as prior of PriorWeight prompts; so are requests that a model wrote for it,
// which find their skill less often than people's do (WrittenFind). None of these is indexed.
//
// A Retriever may be shared, a Prober is for one goroutine at a time.
package findable

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Feature is one thing that is known of a skill among the others.
type Feature int

// The features. Margins are logarithms of the skill's score over that of the best other
// one, at most 1.5 either way; idf is a share of the highest there is.
const (
	NoTriggers    Feature = iota // 1 where no trigger says anything but the name
	TriggerPlace                 // mean of 1/place of the triggers, each held out
	TriggerMargin                // mean margin of the same
	ClausePlace                  // mean of 1/place of clauses of the description, each held out
	ClauseMargin                 // mean margin of the same
	Rare                         // mean idf of its eight rarest telling words in names, descriptions and triggers
	Unique                       // log(1 + telling words that at most one other skill has there)
	NameShare                    // share of its score for its own description that the words of its name make
	NumFeatures
)

var featureNames = [NumFeatures]string{"no_triggers", "trigger_place", "trigger_margin", "clause_place",
	"clause_margin", "rare", "unique",
	"name_share"}

// String returns the feature's name in the weights file.
func (f Feature) String() string { return featureNames[f] }

// Features are those of one skill.
type Features [NumFeatures]float64

// Evidence is what searching says about one skill.
type Evidence struct {
	Requests []Request
	X        Features
	Rivals   []string // names of the skills that come first for its requests, the most frequent first
}

const (
	rareWords  = 8
	maxClaim   = 600 // bytes of a description that are searched as one prompt
	fewDocs    = 2
	marginMost = 1.5
)

// Asking is the requests of a skill while they are asked.
type Asking struct {
	t    *text
	list []Request
}

// Ask lists a skill's own requests, those given and those written for it. most is how many triggers and
// clauses are asked at most; triggers that the caller searches for anyway come first.
func (p *Prober) Ask(e *catalog.Entry, given, written []string, most int, searched []string) *Asking {
	t := p.text(e)
	var shared, other []string
	for _, trigger := range t.triggers {
		if slices.Contains(searched, trigger) {
			shared = append(shared, trigger)
		} else {
			other = append(other, trigger)
		}
	}
	shared = Spread(shared, most)
	return &Asking{t, slices.Concat(t.requests(Trigger, shared), t.requests(Trigger, Spread(other, most-len(shared))),
		t.requests(Clause, Spread(t.clauses, most)), t.requests(Given, given), t.requests(Written, written))}
}

// Answer takes the place of the request with that text, where there is one, from the
// prober's last search, which was for it.
func (a *Asking) Answer(text string) {
	for i := range a.list {
		if r := &a.list[i]; r.Text == text {
			a.t.place(r)
		}
	}
}

// Evidence searches for the skill with the requests that have no answer yet.
func (a *Asking) Evidence(ctx context.Context) (Evidence, error) {
	ev := Evidence{Requests: a.list}
	t := a.t
	p, doc := t.p, t.p.ByID[t.e.ID]
	for i := range ev.Requests {
		if r := &ev.Requests[i]; r.Place == 0 {
			if err := t.ask(ctx, r); err != nil {
				return ev, err
			}
		}
	}
	ev.Rivals = rivals(ev.Requests)
	x := &ev.X
	if x[TriggerPlace], x[TriggerMargin] = means(ev.Requests, Trigger); x[TriggerPlace] == 0 {
		x[NoTriggers] = 1
	}
	x[ClausePlace], x[ClauseMargin] = means(ev.Requests, Clause)
	claim := strings.Join(t.clauses, ", ")
	if len(claim) > maxClaim {
		claim = strings.ToValidUTF8(claim[:maxClaim], "")
	}
	res, err := p.Ranker.Lookup(ctx, p.Ranker.Parse(claim))
	if err != nil {
		return ev, err
	}
	total, named := 0.0, 0.0
	for _, m := range p.Ranker.ExplainEdited(&res, doc, &t.base) {
		total += m.Score
		if t.name[m.Term] {
			named += m.Score
		}
	}
	x[NameShare] = named / max(total, 1e-9)
	var idfs []float64
	for _, word := range t.words {
		n := p.Heads(word)
		if n <= fewDocs {
			x[Unique]++
		}
		idfs = append(idfs, p.idf(n))
	}
	x[Unique] = math.Log1p(x[Unique])
	slices.Sort(idfs)
	for _, v := range idfs[max(0, len(idfs)-rareWords):] {
		x[Rare] += v / rareWords
	}
	return ev, nil
}

// rivals lists the best other skills of the requests that do not find the skill first.
func rivals(list []Request) []string {
	n := map[string]int{}
	var out []string
	for _, r := range list {
		if r.Place > 1 && r.First != "" {
			if n[r.First] == 0 {
				out = append(out, r.First)
			}
			n[r.First]++
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return n[b] - n[a] })
	return out
}

// idf is the inverse document frequency of a term that n skills have, 0 to 1.
func (p *Prober) idf(n int) float64 {
	all := float64(max(p.Snapshot.Skills, n, 1))
	return math.Log(1+(all-float64(n)+0.5)/(float64(n)+0.5)) / math.Log(1+(all+0.5)/0.5)
}

// Margin is the logarithm of own / rival, at most 1.5 either way.
func Margin(own, rival float64) float64 {
	if own == 0 {
		return -marginMost
	}
	return max(-marginMost, min(marginMost, math.Log(max(own, 1e-6)/max(rival, 1e-6))))
}

// means returns the mean 1/place and margin of the requests of a kind, 0 where there is none.
func means(list []Request, kind Kind) (place, over float64) {
	n := 0.0
	for _, r := range list {
		if r.Kind == kind {
			n++
			place += 1 / float64(r.Place)
			over += Margin(r.score, r.rival)
		}
	}
	return place / max(n, 1), over / max(n, 1)
}
