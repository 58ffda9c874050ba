package outcome

import (
	"math"
	"slices"
)

// Rate is the share Hits/N with its 95 % interval.
type Rate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Hits  int     `json:"hits"`
	N     int     `json:"n"`
}

// Z95 is the normal quantile for a two-sided 95 % interval.
const Z95 = 1.959964

// Wilson returns the share hits/n with the score interval of Wilson (1927). effective is the number of independent
// cases that the n cases are worth, 0 < effective ≤ n.
func Wilson(hits, n int, effective float64) Rate {
	p, m, z2 := float64(hits)/float64(n), effective, Z95*Z95
	mid := (p + z2/(2*m)) / (1 + z2/m)
	half := Z95 * math.Sqrt(p*(1-p)/m+z2/(4*m*m)) / (1 + z2/m)
	return Rate{Value: p, Low: max(0, min(p, mid-half)), High: min(1, max(p, mid+half)), Hits: hits, N: n}
}

// Share is a share of cases that are grouped by session. Cases of the same session are similar, so they carry less
// information than cases of different sessions. The zero value is ready to use.
type Share struct {
	place    map[string]int // index in sessions, by session
	sessions []count
	count
}

type count struct{ hits, n int }

// Add counts one case of a session.
func (s *Share) Add(session string, hit bool) {
	i, ok := s.place[session]
	if !ok {
		if s.place == nil {
			s.place = map[string]int{}
		}
		i = len(s.sessions)
		s.place[session], s.sessions = i, append(s.sessions, count{})
	}
	for _, c := range []*count{&s.sessions[i], &s.count} {
		c.n++
		if hit {
			c.hits++
		}
	}
}

// N returns the number of cases.
func (s *Share) N() int { return s.n }

// Effect returns the design effect of Rao and Scott (1992), which is at least 1. The number of cases divided by it is
// the number of independent cases with the same variance of the share.
func (s *Share) Effect() float64 {
	p, n, m := float64(s.hits)/float64(s.n), float64(s.n), float64(len(s.sessions))
	if m < 2 || p == 0 || p == 1 {
		return 1
	}
	sum := 0.0
	for _, c := range s.sessions {
		r := float64(c.hits) - p*float64(c.n)
		sum += r * r
	}
	return max(1, m/(m-1)*sum/(n*p*(1-p)))
}

// Rate returns the share with Wilson's interval for the effective number of cases, or nil if there are no cases.
func (s *Share) Rate() *Rate {
	if s.n == 0 {
		return nil
	}
	r := Wilson(s.hits, s.n, float64(s.n)/s.Effect())
	return &r
}

// Middle sorts values and returns the bounds of their middle 95 %, interpolated.
func Middle(values []float64) (low, high float64) {
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

// Tally counts outcomes of prompts or of suggestions.
type Tally struct {
	Named    int   `json:"named"`
	Known    int   `json:"known"`    // outcomes in finished turns
	Followed int   `json:"followed"` // Known outcomes with a use
	Early    int   `json:"early"`    // outcomes with a use in turns that may not have finished
	Unknown  int   `json:"unknown"`  // all other outcomes
	Rate     *Rate `json:"rate"`     // Followed/Known, with an interval by session; nil if Known is 0

	share Share
}

// Add counts an outcome of the given session. over reports whether its turn has finished.
func (t *Tally) Add(session string, s State, over bool) {
	t.Named++
	switch {
	case over:
		t.Known++
		t.share.Add(session, s == Followed)
	case s == Followed:
		t.Early++
	default:
		t.Unknown++
	}
	if over && s == Followed {
		t.Followed++
	}
}

// Close sets Rate. Call it after the last Add.
func (t *Tally) Close() { t.Rate = t.share.Rate() }
