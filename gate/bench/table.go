package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

// Answer holds the measures of one case or prompt, without its text.
type Answer struct {
	Library string             `json:"library"`
	Set     string             `json:"set"`
	ID      string             `json:"id"`
	Source  string             `json:"source"`
	Groups  []string           `json:"groups,omitempty"`
	Values  map[string]float64 `json:"values"`
}

// Table holds the results of one run over a suite.
type Table struct {
	Version int      `json:"version"`
	Seconds float64  `json:"seconds"`
	Rows    []Row    `json:"rows"`
	Answers []Answer `json:"answers,omitempty"`
}

// Row holds the results for one group of a set.
type Row struct {
	Set     string          `json:"set"`
	Library string          `json:"library"`
	Group   string          `json:"group"` // "all", a language, a range of lengths or a collection
	N       int             `json:"n"`
	Sources int             `json:"sources"`
	Cells   map[string]Cell `json:"cells"` // results by measure
}

// Cell is the mean of a measure over N cases, with its 95 % interval by bootstrap over sources.
type Cell struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

const (
	tableVersion  = 1
	resamples     = 2000
	bootstrapSeed = 20_250_701
)

// DefaultK is the default number of candidates per prompt.
const DefaultK = 20

// Ask answers the cases and prompts of s with g, as the hook would. If before is not nil, Ask calls it before each
// case.
func Ask(ctx context.Context, g *gate.Gate, library string, s CaseSet, before func(*Case)) ([]Answer, error) {
	out := make([]Answer, 0, len(s.Cases)+len(s.Prompts))
	chars := map[string]*Answer{} // answers by session; each gets the total of its session's characters
	memory := map[string]*journal.Session{}
	for i := range s.Cases {
		c := &s.Cases[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if before != nil {
			before(c)
		}
		prompt := triage.Classify(secret.Redact(c.Query))
		var d gate.Decision
		if s.Sessions {
			m := memory[c.Session]
			if m == nil {
				m = &journal.Session{}
				memory[c.Session] = m
				chars[c.Session] = &Answer{Library: library, Set: s.Name + ", each", ID: c.Session, Source: c.Source,
					Values: map[string]float64{charsAdded: 0}}
			}
			d = m.Decide(ctx, g, prompt, DefaultK)
			chars[c.Session].Values[charsAdded] += float64(d.Chars)
		} else {
			d = g.Decide(ctx, gate.Request{Prompt: prompt, K: DefaultK})
		}
		out = append(out, answer(library, s.Name, c, &d))
	}
	k := cmp.Or(s.K, DefaultK)
	for i := range s.Prompts {
		p := &s.Prompts[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := g.Decide(ctx, gate.Request{Prompt: triage.Classify(secret.Redact(p.Query)), K: k, NoContext: true})
		a := Answer{Library: library, Set: s.Name, ID: p.ID, Source: familyOf(p), Groups: p.Groups,
			Values: measure(p, &d, k)}
		maps.DeleteFunc(a.Values, func(m string, _ float64) bool { return !slices.Contains(s.Measures, m) })
		out = append(out, a)
	}
	for _, id := range slices.Sorted(maps.Keys(chars)) {
		out = append(out, *chars[id])
	}
	return out, nil
}

func answer(library, set string, c *Case, d *gate.Decision) Answer {
	a := Answer{Library: library, Set: set, ID: c.ID, Source: c.Source, Groups: c.Groups, Values: map[string]float64{}}
	var shown []string
	for _, candidate := range d.Candidates {
		if candidate.Injected {
			shown = append(shown, candidate.ID)
		}
	}
	a.Values[spoken] = truth(named(d))
	if len(c.Right) > 0 {
		rank := rankOf(ids(d.Candidates[:min(DefaultK, len(d.Candidates))]), c.Right...)
		a.Values[hit1], a.Values[hit5] = within(rank, 1), within(rank, 5)
		a.Values[rightShown] = truth(rankOf(shown, c.Right...) > 0)
	}
	if c.Wrong != "" {
		a.Values[excludedShown] = truth(rankOf(shown, c.Wrong) > 0)
	}
	return a
}

// Sum sets t's answers and computes its rows from them.
func (t *Table) Sum(answers []Answer) {
	t.Version, t.Answers, t.Rows = tableVersion, answers, nil
	type key struct{ set, library, group string }
	parts := map[key][]Answer{}
	var order []key
	for _, a := range answers {
		for _, g := range append([]string{"all"}, a.Groups...) {
			k := key{a.Set, a.Library, g}
			if parts[k] == nil {
				order = append(order, k)
			}
			parts[k] = append(parts[k], a)
		}
	}
	slices.SortFunc(order, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.library, b.library),
			-cmp.Compare(truth(a.group == "all"), truth(b.group == "all")), cmp.Compare(a.group, b.group))
	})
	for _, k := range order {
		part := parts[k]
		if k.group != "all" && len(part) == len(parts[key{k.set, k.library, "all"}]) {
			continue // the group has the same cases as "all"
		}
		r := Row{Set: k.set, Library: k.library, Group: k.group, N: len(part), Cells: map[string]Cell{}}
		sources := map[string]bool{}
		for _, a := range part {
			sources[a.Source] = true
		}
		r.Sources = len(sources)
		for _, m := range TableMeasures {
			var values []clustered
			for _, a := range part {
				if v, ok := a.Values[m]; ok {
					values = append(values, clustered{a.Source, v})
				}
			}
			if len(values) > 0 {
				r.Cells[m] = cell(values)
			}
		}
		t.Rows = append(t.Rows, r)
	}
}

type clustered struct {
	source string
	value  float64
}

func cell(values []clustered) Cell {
	at := map[string]int{}
	var sums, counts []float64
	total := 0.0
	for _, v := range values {
		i, ok := at[v.source]
		if !ok {
			i = len(sums)
			at[v.source] = i
			sums, counts = append(sums, 0), append(counts, 0)
		}
		sums[i] += v.value
		counts[i]++
		total += v.value
	}
	c := Cell{N: len(values), Mean: total / float64(len(values))}
	rng := rand.New(rand.NewPCG(bootstrapSeed, uint64(len(values))))
	means := make([]float64, resamples)
	for i := range means {
		var sum, n float64
		for range sums {
			j := rng.IntN(len(sums))
			sum += sums[j]
			n += counts[j]
		}
		means[i] = sum / n
	}
	c.Low, c.High = outcome.Middle(means)
	return c
}

// TableChange is the change of one measure of a row between two runs.
type TableChange struct {
	Set     string  `json:"set"`
	Library string  `json:"library"`
	Group   string  `json:"group"`
	Measure string  `json:"measure"`
	N       int     `json:"n"`
	Before  float64 `json:"before"`
	After   float64 `json:"after"`
	Low     float64 `json:"low"` // Low and High bound the 95 % interval of the difference, by bootstrap over sources
	High    float64 `json:"high"`
}

// CompareTables returns the changes of all measures. Each covers the cases that both tables have.
func CompareTables(before, after *Table) []TableChange {
	type key struct{ set, library, id string }
	old := map[key]Answer{}
	for _, a := range before.Answers {
		old[key{a.Set, a.Library, a.ID}] = a
	}
	var out []TableChange
	for _, r := range after.Rows {
		for _, m := range TableMeasures {
			c := TableChange{Set: r.Set, Library: r.Library, Group: r.Group, Measure: m}
			var deltas []clustered
			for _, a := range after.Answers {
				if a.Set != r.Set || a.Library != r.Library || r.Group != "all" && !slices.Contains(a.Groups, r.Group) {
					continue
				}
				now, ok := a.Values[m]
				was, ok2 := old[key{a.Set, a.Library, a.ID}].Values[m]
				if !ok || !ok2 {
					continue
				}
				c.Before += was
				c.After += now
				deltas = append(deltas, clustered{a.Source, now - was})
			}
			if len(deltas) == 0 {
				continue
			}
			c.N = len(deltas)
			c.Before /= float64(c.N)
			c.After /= float64(c.N)
			d := cell(deltas)
			c.Low, c.High = d.Low, d.High
			out = append(out, c)
		}
	}
	return out
}

// Save writes t to file, including its answers, which contain no text.
func (t *Table) Save(file string) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return disk.Write(file, append(text, '\n'), disk.Options{})
}

// ReadTable reads a table written by Save.
func ReadTable(file string) (*Table, error) {
	var t Table
	if err := readJSON(file, &t); err != nil {
		return nil, err
	}
	if t.Version != tableVersion {
		return nil, fmt.Errorf("%s has version %d instead of %d; run the benchmark again", file, t.Version, tableVersion)
	}
	return &t, nil
}

// familyOf returns the source of a prompt, which is the same for all prompts with the same right skills.
func familyOf(p *Prompt) string {
	want := slices.Concat(p.Gold)
	if p.Task == Pair {
		want = []string{p.Helpful, p.Risky}
	}
	if len(want) == 0 {
		return "id " + p.ID
	}
	slices.Sort(want)
	return strings.Join(want, "\x00")
}
