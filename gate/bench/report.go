package bench

import (
	"math"
	"slices"
)

// Rate is the mean of a measure over the prompts it applies to.
type Rate struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"` // standard error of Mean
}

// Group is some of a section's prompts with their rates by measure.
type Group struct {
	By    string          `json:"by"`   // "all", "lang", "class", "kind" or "direction"
	Name  string          `json:"name"` // of the language, class, kind or direction
	N     int             `json:"n"`
	Rates map[string]Rate `json:"rates"`
}

// Section reports one task of one set.
type Section struct {
	Set      string   `json:"set"`
	Task     Task     `json:"task"`
	Style    Style    `json:"style,omitempty"`
	Measures []string `json:"measures"` // in table order
	Groups   []Group  `json:"groups"`   // the first is "all"
}

// Sections reports outcomes by set and task in their order, with depths up to
// k, and where there are prompts of the gate task and others, the gate measures
// over all of them as a last section with no set name.
func Sections(outcomes []Outcome, k int) []Section {
	type key struct {
		set  string
		task Task
	}
	var order []key
	parts := map[key][]Outcome{}
	var gated, positive []Outcome
	for _, o := range outcomes {
		at := key{o.Set, o.Task}
		if parts[at] == nil {
			order = append(order, at)
		}
		parts[at] = append(parts[at], o)
		switch o.Task {
		case Gate:
			gated = append(gated, o)
		case Search, Composite:
			positive = append(positive, o)
		}
	}
	var sections []Section
	for _, at := range order {
		part := parts[at]
		sections = append(sections, section(at.set, at.task, part[0].Style, part, k))
	}
	if len(gated) > 0 && len(positive) > 0 {
		sections = append(sections, section("", Gate, Own, slices.Concat(gated, positive), k))
	}
	return sections
}

func section(set string, task Task, style Style, outcomes []Outcome, k int) Section {
	s := Section{Set: set, Task: task, Style: style}
	for _, name := range Measures(task, style, k) {
		if slices.ContainsFunc(outcomes, func(o Outcome) bool { _, ok := o.Values[name]; return ok }) {
			s.Measures = append(s.Measures, name)
		}
	}
	s.Groups = append(s.Groups, group("all", "all", outcomes, s.Measures))
	for _, by := range []struct {
		name string
		of   func(Outcome) string
	}{
		{"lang", func(o Outcome) string { return o.Lang }},
		{"class", func(o Outcome) string { return o.Class }},
		{"kind", func(o Outcome) string { return o.Kind }},
		{"direction", func(o Outcome) string { return o.Direction }},
	} {
		if set == "" && by.name != "lang" {
			continue // classes and kinds stand in the sections that are summed here
		}
		var names []string
		parts := map[string][]Outcome{}
		for _, o := range outcomes {
			name := by.of(o)
			if name == "" {
				continue
			}
			if parts[name] == nil {
				names = append(names, name)
			}
			parts[name] = append(parts[name], o)
		}
		if len(names) < 2 {
			continue // the same prompts as "all"
		}
		slices.Sort(names)
		for _, name := range names {
			s.Groups = append(s.Groups, group(by.name, name, parts[name], s.Measures))
		}
	}
	return s
}

func group(by, name string, outcomes []Outcome, measures []string) Group {
	g := Group{By: by, Name: name, N: len(outcomes), Rates: map[string]Rate{}}
	for _, m := range measures {
		var values []float64
		for _, o := range outcomes {
			if v, ok := o.Values[m]; ok {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			g.Rates[m] = rate(values)
		}
	}
	return g
}

// rate is the mean of values, of which there is at least one, with its standard error.
func rate(values []float64) Rate {
	n := float64(len(values))
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	square := 0.0
	for _, v := range values {
		square += (v - mean) * (v - mean)
	}
	return Rate{N: len(values), Mean: mean, SE: math.Sqrt(square / n / n)}
}
