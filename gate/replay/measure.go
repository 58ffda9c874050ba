package replay

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/skillgate/skillgate/gate"
)

// score is what the measures count of one answer.
type score struct {
	fires, known, nothing bool
	named, right          int  // skills named; those of them that were used
	firstRight            bool // the first of them was used
}

func scoreOf(p *Prompt, d *gate.Decision) score {
	s := score{fires: Fires(d), known: p.Known(), nothing: p.Nothing}
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

// Measure is a rate: the sum of one count over the sum of another.
type Measure struct {
	Name string
	Text string // what it says, for people
	of   func(score) (num, den int)
	Down bool // a smaller value is a better one
}

// Measures are the rates of a replay. Those of uses count only prompts of which a
// use is known.
var Measures = []Measure{
	{Name: "injections", Text: "prompts for which a skill is named", of: func(s score) (int, int) { return one(s.fires), 1 }, Down: true},
	{Name: "follow_rate", Text: "named and a use is known: one of the named was used", of: func(s score) (int, int) {
		return one(s.fires && s.right > 0), one(s.fires && s.known)
	}},
	{Name: "precision", Text: "skills named where a use is known: used", of: func(s score) (int, int) {
		if !s.fires || !s.known {
			return 0, 0
		}
		return s.right, s.named
	}},
	{Name: "caught", Text: "prompts with a known use: the skill was named", of: func(s score) (int, int) { return one(s.known && s.right > 0), one(s.known) }},
	{Name: "first", Text: "prompts with a known use: it was named first", of: func(s score) (int, int) { return one(s.known && s.firstRight), one(s.known) }},
	{Name: "quiet", Text: "prompts labelled as needing nothing: nothing was named", of: func(s score) (int, int) { return one(s.nothing && !s.fires), one(s.nothing) }},
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Rate is a measure's value with a 95 % interval; N is what it is a share of.
type Rate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

// Compared is one measure on both sides. Measures without a single case are left
// out of a summary.
type Compared struct {
	Measure string `json:"measure"`
	A       *Rate  `json:"a"` // null where the side has no case
	B       *Rate  `json:"b"`
	Delta   *Rate  `json:"delta"` // B - A over resampled prompts; N prompts with a case
}

const (
	resamples     = 2_000 // an interval's ends move by under 0.05 standard errors between seeds
	bootstrapSeed = 20_261_120
)

// pair is both sides' scores of one prompt.
type pair struct{ a, b score }

// compareRates computes a measure on both sides by a paired percentile bootstrap
// over prompts, from a fixed seed.
func compareRates(m Measure, pairs []pair) (Compared, bool) {
	type sums struct{ an, ad, bn, bd int32 }
	var rows []sums
	var all sums
	for _, p := range pairs {
		an, ad := m.of(p.a)
		bn, bd := m.of(p.b)
		if ad+bd == 0 {
			continue
		}
		r := sums{int32(an), int32(ad), int32(bn), int32(bd)}
		rows = append(rows, r)
		all.an, all.ad, all.bn, all.bd = all.an+r.an, all.ad+r.ad, all.bn+r.bn, all.bd+r.bd
	}
	c := Compared{Measure: m.Name}
	if len(rows) == 0 {
		return c, false
	}
	var as, bs, ds []float64
	rng := rand.New(rand.NewPCG(bootstrapSeed, uint64(len(rows))))
	for range resamples {
		var s sums
		for range rows {
			r := &rows[rng.IntN(len(rows))]
			s.an, s.ad, s.bn, s.bd = s.an+r.an, s.ad+r.ad, s.bn+r.bn, s.bd+r.bd
		}
		if s.ad > 0 {
			as = append(as, float64(s.an)/float64(s.ad))
		}
		if s.bd > 0 {
			bs = append(bs, float64(s.bn)/float64(s.bd))
		}
		if s.ad > 0 && s.bd > 0 {
			ds = append(ds, float64(s.bn)/float64(s.bd)-float64(s.an)/float64(s.ad))
		}
	}
	rate := func(num, den int32, values []float64) *Rate {
		if den == 0 || len(values) == 0 {
			return nil
		}
		low, high := ends(values)
		return &Rate{Value: float64(num) / float64(den), Low: low, High: high, N: int(den)}
	}
	c.A, c.B = rate(all.an, all.ad, as), rate(all.bn, all.bd, bs)
	if c.A != nil && c.B != nil {
		low, high := ends(ds)
		c.Delta = &Rate{Value: c.B.Value - c.A.Value, Low: low, High: high, N: len(rows)}
	}
	return c, true
}

// ends are the 2.5th and 97.5th percentiles, interpolated.
func ends(values []float64) (low, high float64) {
	slices.Sort(values)
	at := func(p float64) float64 {
		x := p * float64(len(values)-1)
		i := int(math.Floor(x))
		if i+1 >= len(values) {
			return values[len(values)-1]
		}
		return values[i] + (x-float64(i))*(values[i+1]-values[i])
	}
	return at(0.025), at(0.975)
}
