package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// Count is a name with its number of occurrences.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Day counts one day's decisions.
type Day struct {
	Date      string `json:"date"` // in the form 2006-01-02
	Decisions int    `json:"decisions"`
	Injected  int    `json:"injected"`
}

// Percentiles holds percentiles of the total time of decisions, in milliseconds, by nearest rank.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// Stats summarizes decisions and their outcomes.
type Stats struct {
	First         time.Time   `json:"first,omitzero"` // times of the oldest and the newest decision, or zero
	Last          time.Time   `json:"last,omitzero"`
	Decisions     int         `json:"decisions"`
	Sessions      int         `json:"sessions"`
	Injected      int         `json:"injected"`       // decisions with verdict inject or force
	InjectionRate float64     `json:"injection_rate"` // Injected as a share of Decisions
	Missed        int         `json:"missed"`         // decisions followed by the use of a skill not suggested
	Typed         int         `json:"typed"`          // decisions after which the user typed /name
	ByVerdict     []Count     `json:"by_verdict"`
	ByReason      []Count     `json:"by_reason"`
	ByLang        []Count     `json:"by_lang"`
	Ms            Percentiles `json:"ms"`
	TopInjected   []Count     `json:"top_injected"` // decisions that suggested the skill
	TopLoaded     []Count     `json:"top_loaded"`   // decisions after which the model used the skill
	Installed     int         `json:"installed"`    // number of names in the catalog
	NeverUsed     []string    `json:"never_used"`   // installed skills that were neither suggested nor used
	PerDay        []Day       `json:"per_day"`

	Follow    outcome.Tally   `json:"follow"`    // outcomes of decisions with suggestions
	Positions []outcome.Tally `json:"positions"` // outcomes of the first, second, … suggestion
	Skills    []SkillStats    `json:"skills"`    // outcomes by skill, most suggested first

	Kept Kept `json:"kept"` // counted over the newest mostKept decisions

	Unreadable int `json:"unreadable"` // unreadable lines in the whole log; see BadFile
}

// SkillStats holds the outcomes of one skill or agent.
type SkillStats struct {
	Name string `json:"name"`
	outcome.Tally
	Missed int `json:"missed"` // prompts for which the model used it without a suggestion
	Typed  int `json:"typed"`  // prompts for which the user typed its name
}

// Kept counts prompts by how much of them the setting log.prompts kept.
type Kept struct {
	Prompts int `json:"prompts"`
	Terms   int `json:"terms"` // kept as index terms only
	Gone    int `json:"gone"`  // kept as a hash or not at all
}

// Cost returns a line about the prompts that log.prompts did not keep whole, formatted with say, or "" if all were
// kept. The clauses terms and gone, such as "they cannot be replayed", state the consequence for prompts kept as terms
// and for prompts that were not kept.
func (k Kept) Cost(say func(format string, args ...any) string, terms, gone string) string {
	if k.Terms+k.Gone == 0 {
		return ""
	}
	return say("of %d prompts, %d are kept only as terms (%s) and %d are not kept (%s), because of the setting "+
		"log.prompts\n", k.Prompts, k.Terms, terms, k.Gone, gone)
}

// Add counts a prompt kept at a level of log.prompts. It does not count an error as Gone, because the prompt may not
// have been read.
func (k *Kept) Add(level string, verdict gate.Verdict) {
	k.Prompts++
	switch level {
	case journal.Terms:
		k.Terms++
	case journal.Hash, journal.None:
		if verdict != gate.Error {
			k.Gone++
		}
	}
}

const mostKept = 20_000

func (db *DB) kept(ctx context.Context, f Filter) (k Kept, err error) {
	where, args := f.where()
	var level, verdict string
	for err := range db.rows(ctx,
		`SELECT coalesce(json_extract(d.line, '$.prompts'), ''), d.verdict FROM decision d WHERE `+
			where+fmt.Sprintf(` ORDER BY d.time DESC LIMIT %d`, mostKept), args, &level, &verdict) {
		if err != nil {
			return k, failed(err)
		}
		k.Add(level, gate.Verdict(verdict))
	}
	return k, nil
}

// StatsOptions configure Stats.
type StatsOptions struct {
	Catalog []string       // names of the installed skills, for NeverUsed
	Top     int            // maximum length of the top lists; 0 means 10
	Zone    *time.Location // time zone of the days; nil means UTC
}

// Stats summarizes the decisions that f selects. It ignores f.Limit and f.Newest.
func (db *DB) Stats(ctx context.Context, f Filter, o StatsOptions) (Stats, error) {
	if o.Top == 0 {
		o.Top = 10
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	s := Stats{NeverUsed: []string{}, PerDay: []Day{}, Positions: []outcome.Tally{}, Skills: []SkillStats{}}
	verdicts, reasons, langs, sessions := map[string]int{}, map[string]int{}, map[string]int{}, map[string]bool{}
	skills := map[string]*SkillStats{}
	skill := func(name string) *SkillStats {
		if skills[name] == nil {
			skills[name] = &SkillStats{Name: name}
		}
		return skills[name]
	}
	used, typed := map[string]int{}, map[string]int{}
	var times []float64
	err := db.Turns(ctx, f, func(t *Turn) error {
		if s.Decisions == 0 {
			s.First = t.Time
		}
		s.Last = t.Time
		s.Decisions++
		sessions[t.Session] = true
		verdicts[t.Verdict]++
		if t.Lang != "" { // otherwise the prompt was not read
			langs[t.Lang]++
		}
		if t.Reason != "" {
			reasons[t.Reason]++
		}
		times = append(times, t.Ms)
		if date := t.Time.In(o.Zone).Format(time.DateOnly); len(s.PerDay) == 0 ||
			s.PerDay[len(s.PerDay)-1].Date != date {
			s.PerDay = append(s.PerDay, Day{Date: date})
		}
		day := &s.PerDay[len(s.PerDay)-1]
		day.Decisions++
		if t.Verdict == "inject" || t.Verdict == "force" {
			s.Injected++
			day.Injected++
		}
		if state := t.State(); state != "" {
			s.Follow.Add(t.Session, state, t.Over)
		}
		for i, n := range t.Named {
			state := t.Of(n)
			skill(n.Name).Add(t.Session, state, t.Over)
			if len(s.Positions) == i {
				s.Positions = append(s.Positions, outcome.Tally{})
			}
			s.Positions[i].Add(t.Session, state, t.Over)
		}
		for _, name := range t.Used() {
			used[name]++
		}
		missed, byHand := t.Unnamed(), t.Typed()
		for _, name := range missed {
			skill(name).Missed++
		}
		for _, name := range byHand {
			typed[name]++
			skill(name).Typed++
		}
		s.Missed += min(1, len(missed))
		s.Typed += min(1, len(byHand))
		return nil
	})
	if err != nil {
		return s, err
	}
	if s.Kept, err = db.kept(ctx, f); err != nil {
		return s, err
	}
	if s.Unreadable, err = db.Unreadable(); err != nil {
		return s, fmt.Errorf("journal: %w", err)
	}
	s.Follow.Close()
	for i := range s.Positions {
		s.Positions[i].Close()
	}
	named := map[string]int{}
	for name, k := range skills {
		k.Close()
		if s.Skills = append(s.Skills, *k); k.Named > 0 {
			named[name] = k.Named
		}
	}
	slices.SortFunc(s.Skills, func(a, b SkillStats) int { return cmp.Or(b.Named-a.Named, cmp.Compare(a.Name, b.Name)) })
	s.Sessions = len(sessions)
	if s.Decisions > 0 {
		s.InjectionRate = float64(s.Injected) / float64(s.Decisions)
	}
	s.ByVerdict, s.ByReason, s.ByLang = counts(verdicts, 0), counts(reasons, 0), counts(langs, 0)
	s.Ms = Percentiles{percentile(times, 50), percentile(times, 95), percentile(times, 99)}
	s.TopInjected, s.TopLoaded = counts(named, o.Top), counts(used, o.Top)
	s.Installed, s.NeverUsed = len(slices.Compact(slices.Sorted(slices.Values(o.Catalog)))), neverUsed(o.Catalog,
		named, used, typed)
	return s, nil
}

func neverUsed(catalog []string, seen ...map[string]int) []string {
	// Names are compared by their last part, because "plugin:name" is also used as "name".
	used := map[string][]string{}
	for _, m := range seen {
		for name := range m {
			last := name[strings.LastIndexByte(name, ':')+1:]
			used[last] = append(used[last], name)
		}
	}
	out := []string{}
	for _, name := range catalog {
		last := name[strings.LastIndexByte(name, ':')+1:]
		if !slices.ContainsFunc(used[last], func(u string) bool { return journal.SameSkill(u, name) }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// counts returns the top names by count, then by name. If top is 0, it returns all names.
func counts(m map[string]int, top int) []Count {
	out := make([]Count, 0, len(m))
	for name, n := range m {
		out = append(out, Count{name, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	if top > 0 && len(out) > top {
		out = out[:top]
	}
	return out
}

func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}
