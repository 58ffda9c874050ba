package replay

import (
	"math"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/outcome"
)

type score struct {
	fires, known bool
	over         bool // the turn has finished
	followed     bool // the model used a suggested skill
	named, right int  // number of suggested skills, and of those that were used
	firstRight   bool // the first suggested skill was used
}

func scoreOf(p *Prompt, d *gate.Decision) score {
	turn := p.Turn(d)
	state := turn.State()
	s := score{fires: fires(d), known: p.Known(), over: state != "" && p.Over,
		followed: state == outcome.Followed}
	if d.Reason == gate.HeldBack { // an experiment withheld the suggestion
		free := *d
		free.Release()
		d = &free
	}
	for i, c := range named(d) {
		if c.Pool == "agent" {
			continue
		}
		s.named++
		if p.right(c) {
			s.right++
			s.firstRight = s.firstRight || i == 0
		}
	}
	return s
}

// Measure is a rate over prompts: the sum of a numerator divided by the sum of a denominator.
type Measure struct {
	Name string
	Text string // description for users
	of   func(score) (num, den int)
}

// Measures are the rates that a replay reports. Package outcome defines the follow rate. precision, caught and first
// cover only prompts for which a used skill is known.
var Measures = []Measure{
	{Name: "injections", Text: "prompts with a suggestion", of: func(s score) (int, int) {
		return one(s.fires), 1
	}},
	{Name: "follow_rate", Text: "finished turns with a suggestion in which a suggested skill was used",
		of: func(s score) (int, int) {
			return one(s.over && s.followed), one(s.over)
		}},
	{Name: "precision", Text: "suggested skills that were used (prompts with a known use)", of: func(s score) (int, int) {
		if !s.fires || !s.known {
			return 0, 0
		}
		return s.right, s.named
	}},
	{Name: "caught", Text: "prompts for which the used skill was suggested", of: func(s score) (int, int) {
		return one(s.known && s.right > 0), one(s.known)
	}},
	{Name: "first", Text: "prompts for which the used skill was suggested first", of: func(s score) (int, int) {
		return one(s.known && s.firstRight), one(s.known)
	}},
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Rate is a share, or a difference of shares, over N cases, with its 95 % interval.
type Rate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

// Compared has one measure for both sides. It is left out of summaries if it applies to no prompt.
type Compared struct {
	Measure string `json:"measure"`
	A       *Rate  `json:"a"` // nil if the measure applies to no prompt of this side
	B       *Rate  `json:"b"`
	Delta   *Rate  `json:"delta"` // B − A, over N prompts
}

type pair struct {
	session string
	a, b    score
}

// compareRates computes a measure for both sides and reports whether it applies to any prompt. The shares get the
// intervals of package outcome. The interval of the difference is linearised (Taylor series of a ratio of sums, by
// session). As in Agresti and Min (2005) for paired differences, half a case is added to each of the four cells, so
// that the interval is not empty if there are few prompts.
func compareRates(m Measure, pairs []pair) (Compared, bool) {
	type sums struct{ an, ad, bn, bd float64 }
	var a, b outcome.Share
	place := map[string]int{}
	var rows []sums // sums by session
	var all sums
	prompts := 0
	for _, p := range pairs {
		an, ad := m.of(p.a)
		bn, bd := m.of(p.b)
		if ad+bd == 0 {
			continue
		}
		prompts++
		for i := range ad {
			a.Add(p.session, i < an)
		}
		for i := range bd {
			b.Add(p.session, i < bn)
		}
		i, ok := place[p.session]
		if !ok {
			i = len(rows)
			place[p.session], rows = i, append(rows, sums{})
		}
		for _, s := range []*sums{&rows[i], &all} {
			s.an, s.ad, s.bn, s.bd = s.an+float64(an), s.ad+float64(ad), s.bn+float64(bn), s.bd+float64(bd)
		}
	}
	c := Compared{Measure: m.Name, A: rateOf(&a), B: rateOf(&b)}
	if c.A == nil || c.B == nil {
		return c, prompts > 0
	}
	delta, n := c.B.Value-c.A.Value, float64(prompts)
	variance := 0.0
	for _, r := range rows {
		x := (r.bn-c.B.Value*r.bd)/all.bd - (r.an-c.A.Value*r.ad)/all.ad
		variance += x * x
	}
	if g := float64(len(rows)); g > 1 {
		variance *= g / (g - 1)
	}
	half := outcome.Z95 * math.Sqrt(variance*n*n+1) / (n + 2)
	mid := delta * n / (n + 2)
	c.Delta = &Rate{Value: delta, Low: max(-1, min(delta, mid-half)), High: min(1, max(delta, mid+half)), N: prompts}
	return c, true
}

func rateOf(s *outcome.Share) *Rate {
	r := s.Rate()
	if r == nil {
		return nil
	}
	return &Rate{Value: r.Value, Low: r.Low, High: r.High, N: r.N}
}
