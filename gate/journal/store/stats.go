package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/journal"
)

// Count is a name and how often it occurs.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Bucket counts values from From up to, not including, To.
type Bucket struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Count int     `json:"count"`
}

// Day counts one day's decisions.
type Day struct {
	Date      string `json:"date"` // 2006-01-02 in the zone asked for
	Decisions int    `json:"decisions"`
	Injected  int    `json:"injected"`
}

// Percentiles are of a decision's total time, in milliseconds, by nearest rank.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// Stats sums up decisions and what came of them.
type Stats struct {
	First         time.Time   `json:"first"` // oldest and newest decision
	Last          time.Time   `json:"last"`
	Decisions     int         `json:"decisions"`
	Sessions      int         `json:"sessions"`
	Injected      int         `json:"injected"`       // verdict inject or force
	InjectionRate float64     `json:"injection_rate"` // of all decisions
	Known         int         `json:"known"`          // injected, and a use was reported
	Followed      int         `json:"followed"`       // of Known: one of the named was used
	FollowRate    *float64    `json:"follow_rate"`    // Followed / Known; null where Known is 0
	Missed        int         `json:"missed"`         // the model used a skill that was not named
	ByVerdict     []Count     `json:"by_verdict"`
	ByReason      []Count     `json:"by_reason"`
	ByLang        []Count     `json:"by_lang"`
	Ms            Percentiles `json:"ms"`
	TopInjected   []Count     `json:"top_injected"`
	TopLoaded     []Count     `json:"top_loaded"`
	NeverUsed     []string    `json:"never_used"` // of the catalog: neither named nor used
	PerDay        []Day       `json:"per_day"`
	Score         []Bucket    `json:"score"` // of the first candidate, decisions with one
	Need          []Bucket    `json:"need"`  // decisions that were searched
}

// StatsOptions say how to sum up.
type StatsOptions struct {
	Catalog []string       // names of the installed skills, for NeverUsed
	Top     int            // length of the top lists; 0: 10
	Zone    *time.Location // of days; nil: UTC
}

// Stats sums up the decisions that f chooses; f.Limit and f.Newest do not count.
func (db *DB) Stats(ctx context.Context, f Filter, o StatsOptions) (Stats, error) {
	if o.Top == 0 {
		o.Top = 10
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	s := Stats{NeverUsed: []string{}, PerDay: []Day{}}
	where, args := f.where()
	rows, err := db.sql.QueryContext(ctx, `SELECT d.time, d.session, d.verdict, d.reason, d.lang, d.need, d.score, d.ms, `+followedSQL+`,
		EXISTS (SELECT 1 FROM outcome o WHERE o.decision = d.id AND o.success AND NOT o.followed AND o.tool <> ?)
		FROM decision d WHERE `+where+` ORDER BY d.time`, append([]any{journal.ToolTyped}, args...)...)
	if err != nil {
		return s, fmt.Errorf("stats: %w", explain(err))
	}
	defer rows.Close()
	verdicts, reasons, langs, sessions := map[string]int{}, map[string]int{}, map[string]int{}, map[string]bool{}
	var times, scores, needs []float64
	for rows.Next() {
		var at int64
		var session, verdict, reason, lang, followed string
		var need, score, took float64
		var missed bool
		if err := rows.Scan(&at, &session, &verdict, &reason, &lang, &need, &score, &took, &followed, &missed); err != nil {
			return s, fmt.Errorf("stats: %w", explain(err))
		}
		when := time.Unix(0, at)
		if s.Decisions == 0 {
			s.First = when.UTC()
		}
		s.Last = when.UTC()
		s.Decisions++
		sessions[session] = true
		verdicts[verdict]++
		langs[lang]++
		if reason != "" {
			reasons[reason]++
		}
		times = append(times, took)
		if verdict != "skip" && verdict != "error" {
			needs = append(needs, need)
			if score > 0 {
				scores = append(scores, score)
			}
		}
		if date := when.In(o.Zone).Format(time.DateOnly); len(s.PerDay) == 0 || s.PerDay[len(s.PerDay)-1].Date != date {
			s.PerDay = append(s.PerDay, Day{Date: date})
		}
		day := &s.PerDay[len(s.PerDay)-1]
		day.Decisions++
		if missed {
			s.Missed++
		}
		if verdict == "inject" || verdict == "force" {
			s.Injected++
			day.Injected++
			if Follow(followed) != Unknown {
				s.Known++
			}
			if Follow(followed) == Followed {
				s.Followed++
			}
		}
	}
	if err := rows.Err(); err != nil {
		return s, fmt.Errorf("stats: %w", explain(err))
	}
	rows.Close()
	s.Sessions = len(sessions)
	if s.Decisions > 0 {
		s.InjectionRate = float64(s.Injected) / float64(s.Decisions)
	}
	if s.Known > 0 {
		rate := float64(s.Followed) / float64(s.Known)
		s.FollowRate = &rate
	}
	s.ByVerdict, s.ByReason, s.ByLang = counts(verdicts, 0), counts(reasons, 0), counts(langs, 0)
	s.Ms = Percentiles{percentile(times, 50), percentile(times, 95), percentile(times, 99)}
	s.Need = buckets(needs, 0.1)
	s.Score = buckets(scores, scoreWidth(scores))

	named, err := db.counted(ctx, `SELECT n.name, count(*) FROM named n JOIN decision d ON d.id = n.decision WHERE `+where+` GROUP BY n.name`, args)
	if err != nil {
		return s, err
	}
	used, err := db.counted(ctx, `SELECT o.skill, count(*) FROM outcome o JOIN decision d ON d.id = o.decision WHERE o.success AND `+where+` GROUP BY o.skill`, args)
	if err != nil {
		return s, err
	}
	s.TopInjected, s.TopLoaded = counts(named, o.Top), counts(used, o.Top)
	s.NeverUsed = neverUsed(o.Catalog, named, used)
	return s, nil
}

func (db *DB) counted(ctx context.Context, query string, args []any) (map[string]int, error) {
	rows, err := db.sql.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("stats: %w", explain(err))
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return nil, fmt.Errorf("stats: %w", explain(err))
		}
		out[name] = n
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("stats: %w", explain(err))
	}
	return out, nil
}

// neverUsed returns the catalog's names, sorted, that were neither named nor used.
func neverUsed(catalog []string, seen ...map[string]int) []string {
	// By last part: "plugin:name" is used as "name" too.
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

// counts sorts by count, then by name, and keeps the first top (0: all).
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

// percentile is by nearest rank; 0 for no values.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// scoreWidth is the width of score buckets: the smallest of 1, 2, 5, 10, … that
// needs at most 20 of them.
func scoreWidth(values []float64) float64 {
	if len(values) == 0 {
		return 1
	}
	top := slices.Max(values)
	for width := 1.0; ; width *= 10 {
		for _, w := range []float64{width, 2 * width, 5 * width} {
			if top < 20*w {
				return w
			}
		}
	}
}

// buckets counts values in steps of width from 0 to the largest; the top value
// of needs, 1, belongs to the last step.
func buckets(values []float64, width float64) []Bucket {
	out := []Bucket{}
	if len(values) == 0 {
		return out
	}
	at := func(v float64) int { return max(0, int(math.Floor(v/width+1e-9))) }
	n := at(slices.Max(values)) + 1
	if width < 1 {
		n = min(n, int(math.Round(1/width)))
	}
	for i := range n {
		out = append(out, Bucket{From: round(float64(i) * width), To: round(float64(i+1) * width)})
	}
	for _, v := range values {
		out[min(at(v), n-1)].Count++
	}
	return out
}

// round takes the noise of binary fractions off a bucket's edge.
func round(v float64) float64 { return math.Round(v*1000) / 1000 }
