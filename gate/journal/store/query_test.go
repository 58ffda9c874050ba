package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

func TestOutcomesJoinTheirDecision(t *testing.T) {
	at := func(id string) func(*journal.Record) { return func(r *journal.Record) { r.PromptID = id } }
	tests := []struct {
		name   string
		write  func(t *testing.T, dir string)
		follow []outcome.State // of the decisions in order
		missed []string        // of all
	}{
		{"named skill loaded", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf", "docx"))
			used(t, dir, "docx", time.Second, at("p1"))
		}, []outcome.State{outcome.Followed}, nil},
		{"nothing reported is unknown", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
		}, []outcome.State{outcome.Unknown}, nil},
		{"another skill loaded", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			used(t, dir, "xlsx", time.Second, at("p1"))
		}, []outcome.State{outcome.Unknown}, []string{"xlsx"}},
		{"another skill loaded, and the session went on", func(t *testing.T, dir string) {
			watched(t, dir)
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			used(t, dir, "xlsx", time.Second, at("p1"))
			decided(t, dir, "b", 2*time.Second, at("p2"))
		}, []outcome.State{outcome.NotFollowed, ""}, []string{"xlsx"}},
		{"nothing used, and the session went on while it was watched", func(t *testing.T, dir string) {
			watched(t, dir)
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", 2*time.Second, at("p2"))
		}, []outcome.State{outcome.NotFollowed, ""}, nil},
		{"nobody watched", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", 2*time.Second, at("p2"))
		}, []outcome.State{outcome.Unknown, ""}, nil},
		{"nobody saw the session start, and a skill was used later", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", 2*time.Second, injecting("p2", "pdf"))
			used(t, dir, "pdf", 3*time.Second, at("p2"))
		}, []outcome.State{outcome.Unknown, outcome.Followed}, nil},
		{"an experiment kept the hint back, and the skill was used", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, func(r *journal.Record) {
				injecting("p1", "pdf")(r)
				r.Decision.HoldBack()
			})
			used(t, dir, "pdf", time.Second, at("p1"))
		}, []outcome.State{""}, nil},
		{"the clock jumped back before the next prompt", func(t *testing.T, dir string) {
			watched(t, dir)
			decided(t, dir, "b", time.Hour, injecting("p1", "pdf"))
			decided(t, dir, "a", 0, at("p2"))
		}, []outcome.State{"", outcome.NotFollowed}, nil},
		{"the next prompt is queued in the same turn", func(t *testing.T, dir string) {
			watched(t, dir)
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", 2*time.Second, at("p1"))
		}, []outcome.State{outcome.Unknown, ""}, nil},
		{"failed load does not count", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			used(t, dir, "pdf", time.Second, func(r *journal.Record) { r.PromptID = "p1"; r.Outcome.Success = false })
		}, []outcome.State{outcome.Unknown}, nil},
		{"plugin skill under its last part", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "office:pdf"))
			used(t, dir, "pdf", time.Second, at("p1"))
		}, []outcome.State{outcome.Followed}, nil},
		{"library file read", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			used(t, dir, "something", time.Second, func(r *journal.Record) {
				r.PromptID = "p1"
				r.Outcome.Tool, r.Outcome.Path = journal.ToolRead, "/skills/pdf/SKILL.md"
			})
		}, []outcome.State{outcome.Followed}, nil},
		{"prompt id beats time", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", time.Second, injecting("p2", "docx"))
			used(t, dir, "pdf", 2*time.Second, at("p1"))
		}, []outcome.State{outcome.Followed, outcome.Unknown}, nil},
		{"without a prompt id the nearest earlier decision of the session", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("", "pdf"))
			decided(t, dir, "b", time.Second, injecting("", "pdf"))
			decided(t, dir, "c", 3*time.Second, injecting("", "pdf"))
			used(t, dir, "pdf", 2*time.Second, nil)
			used(t, dir, "pdf", 4*time.Second, func(r *journal.Record) { r.Session = "s2" })
		}, []outcome.State{outcome.Unknown, outcome.Followed, outcome.Unknown}, nil},
		{"first prompt has no id, its outcome has", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("", "pdf"))
			used(t, dir, "pdf", time.Second, at("p1"))
		}, []outcome.State{outcome.Followed}, nil},
		{"id of a prompt that was not logged is nobody's", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			used(t, dir, "pdf", time.Second, at("p2"))
		}, []outcome.State{outcome.Unknown}, nil},
		{"queued prompt, used in a turn of its own", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", time.Second, injecting("p1", "docx"))
			used(t, dir, "pdf", 2*time.Second, at("p1"))
			used(t, dir, "docx", 3*time.Second, at("p2"))
		}, []outcome.State{outcome.Followed, outcome.Followed}, nil},
		{"two queued prompts, used in one turn", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", time.Second, injecting("p1", "docx"))
			decided(t, dir, "c", 2*time.Second, injecting("p1", "pptx"))
			used(t, dir, "docx", 3*time.Second, at("p2"))
			used(t, dir, "xlsx", 4*time.Second, at("p2"))
		}, []outcome.State{outcome.Unknown, outcome.Followed, outcome.Unknown}, []string{"xlsx"}},
		{"queued prompt, another one since", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", time.Second, injecting("p1", "docx"))
			decided(t, dir, "c", 2*time.Second, injecting("p2", "pptx"))
			used(t, dir, "docx", 3*time.Second, at("p3"))
		}, []outcome.State{outcome.Unknown, outcome.Unknown, outcome.Unknown}, nil},
		{"queued prompt, a command typed before its decision", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, injecting("p1", "pdf"))
			decided(t, dir, "b", time.Second, injecting("p1", "docx"))
			used(t, dir, "docx", 2*time.Second, func(r *journal.Record) { r.PromptID = "p2"; r.Outcome.Tool = journal.ToolTyped })
			decided(t, dir, "/docx x", 2*time.Second+time.Millisecond, at("p2"))
		}, []outcome.State{outcome.Unknown, outcome.Unknown, ""}, nil},
		{"typed command before its decision", func(t *testing.T, dir string) {
			used(t, dir, "pdf", 0, func(r *journal.Record) { r.PromptID = "p1"; r.Outcome.Tool = journal.ToolTyped })
			decided(t, dir, "/pdf x", time.Millisecond, at("p1"))
		}, []outcome.State{""}, nil},
		{"the registration that was late began first", func(t *testing.T, dir string) {
			late := func(r *journal.Record) {
				r.PromptID, r.Decision.Verdict, r.Decision.Reason = "p1", gate.Skip, gate.Repeat
			}
			decided(t, dir, "a", 0, late)
			decided(t, dir, "a", 5*time.Millisecond, injecting("p1", "pdf"))
			used(t, dir, "pdf", 2*time.Second, at("p1"))
		}, []outcome.State{"", outcome.Followed}, nil},
		{"a repeated prompt, and one that was queued in its turn", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, func(r *journal.Record) {
				r.PromptID, r.Decision.Verdict, r.Decision.Reason = "p1", gate.Skip, gate.Repeat
			})
			decided(t, dir, "b", time.Second, injecting("p1", "pdf"))
			used(t, dir, "pdf", 2*time.Second, at("p1"))
		}, []outcome.State{"", outcome.Unknown}, []string{"pdf"}},
		{"silent decision missed a skill", func(t *testing.T, dir string) {
			decided(t, dir, "a", 0, at("p1"))
			used(t, dir, "pdf", time.Second, at("p1"))
		}, []outcome.State{""}, []string{"pdf"}},
	}
	for _, tt := range tests {
		for _, halves := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, fold between: %v", tt.name, halves), func(t *testing.T) {
				dir := t.TempDir()
				tt.write(t, dir)
				db := openDB(t, dir)
				if halves { // every line in a fold of its own
					text, err := os.ReadFile(filepath.Join(dir, journal.File))
					if err != nil {
						t.Fatal(err)
					}
					for line := range strings.Lines(string(text)) {
						if err := os.WriteFile(filepath.Join(dir, journal.File), []byte(line), 0o600); err != nil {
							t.Fatal(err)
						}
						fold(t, db)
					}
				}
				fold(t, db)
				list, err := db.List(t.Context(), Filter{})
				if err != nil {
					t.Fatal(err)
				}
				var follow []outcome.State
				var missed []string
				for _, e := range list {
					follow = append(follow, e.Followed)
					missed = append(missed, e.Missed...)
				}
				if !slices.Equal(follow, tt.follow) || !slices.Equal(missed, tt.missed) {
					t.Errorf("followed %q, missed %q, want %q, %q", follow, missed, tt.follow, tt.missed)
				}
			})
		}
	}
}

// watched logs that an observer saw the session start.
func watched(t *testing.T, dir string) {
	t.Helper()
	r := journal.New(journal.KindSession, noon.Add(-time.Hour))
	r.Session = "s1"
	if err := journal.Append(dir, r); err != nil {
		t.Fatal(err)
	}
}

// turnEnded logs what turn a decision found.
func turnEnded(t *testing.T, dir string, of journal.Record, turn string, over bool, after time.Duration) {
	t.Helper()
	r := journal.New(journal.KindTurn, noon.Add(after))
	r.Session, r.PromptID, r.Of, r.Over = of.Session, turn, of.ID, over
	if err := journal.Append(dir, r); err != nil {
		t.Fatal(err)
	}
}

// A session may be older than the reports of its turns' ends.
func TestTurnsFromBeforeReports(t *testing.T) {
	dir := t.TempDir()
	watched(t, dir)
	decided(t, dir, "prune the roses", 0, injecting("1", "roses"))
	used(t, dir, "roses", time.Second, func(r *journal.Record) { r.PromptID = "1" })
	decided(t, dir, "mow the lawn", 2*time.Second, injecting("2", "lawn"))
	reported := decided(t, dir, "rake the leaves", 3*time.Second, injecting("3", "rake"))
	turnEnded(t, dir, reported, "3", true, 4*time.Second)
	decided(t, dir, "stack the wood", 5*time.Second, injecting("4", "wood")) // no end was reported
	decided(t, dir, "sweep the path", 6*time.Second, injecting("5", "broom"))
	db := openDB(t, dir)
	fold(t, db)
	got := map[string]bool{}
	err := db.Each(t.Context(), Filter{}, func(e Entry) error { got[e.Decision.Prompt] = e.Over; return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"prune the roses": true, "mow the lawn": true, "rake the leaves": true, "stack the wood": false, "sweep the path": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("turns that are over (-want +got):\n%s", diff)
	}
}

// A fold of many ends of turns must not read the whole journal for each.
func TestEndOfATurnReadsNoWholeTable(t *testing.T) {
	db := openDB(t, t.TempDir())
	for query, args := range map[string][]any{takeBackSQL: {"1", "s1", "id"}, oldestLooseSQL: {"1", 0}} {
		rows, err := db.sql.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			t.Log(detail)
			if strings.HasPrefix(detail, "SCAN") && detail != "SCAN CONSTANT ROW" {
				t.Errorf("%s: %s", query, detail)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// Where the ends of turns are reported, they say which prompt a use was for, and whether
// that none came is a no.
func TestTurnsAreReported(t *testing.T) {
	dir := t.TempDir()
	ended := func(of journal.Record, turn string, over bool, after time.Duration) {
		t.Helper()
		turnEnded(t, dir, of, turn, over, after)
	}
	in := func(turn string) func(*journal.Record) { return func(r *journal.Record) { r.PromptID = turn } }
	db := openDB(t, dir)
	first := decided(t, dir, "fill the form", 0, injecting("1", "form"))
	queued := decided(t, dir, "bake a loaf", time.Second, injecting("1", "bread"))
	used(t, dir, "form", 2*time.Second, in("1"))
	ended(first, "1", true, 3*time.Second)
	chained := decided(t, dir, "sail home", 4*time.Second, injecting("2", "sails"))
	used(t, dir, "bread", 5*time.Second, in("2"))
	fold(t, db) // the use of bread is joined to what can be told now
	ended(queued, "2", true, 6*time.Second)
	ended(chained, "3", true, 7*time.Second)
	broken := decided(t, dir, "tune the violin", 8*time.Second, injecting("4", "violin"))
	decided(t, dir, "wax the floor", 9*time.Second, injecting("5", "wax"))
	ended(broken, "4", false, 10*time.Second)
	decided(t, dir, "collect the tides", 11*time.Second, func(r *journal.Record) {
		injecting("5", "tides")(r)
		r.Source = journal.SourceAgent
	})
	decided(t, dir, "paint the hull", 11*time.Second, func(r *journal.Record) {
		injecting("5", "paint")(r)
		r.Source, r.Call = journal.SourceAgent, "call-1"
	})
	declined := journal.New(journal.KindDeclined, noon.Add(12*time.Second))
	declined.Session, declined.Call = "s1", "call-1"
	if err := journal.Append(dir, declined); err != nil {
		t.Fatal(err)
	}
	used(t, dir, "tides", 12*time.Second, func(r *journal.Record) { r.PromptID, r.Outcome.Agent = "5", "a1" })
	used(t, dir, "wax", 13*time.Second, func(r *journal.Record) { r.PromptID, r.Outcome.Agent = "5", "a1" })
	fold(t, db)
	list, err := db.List(t.Context(), Filter{Lookups: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range list {
		text := string(e.Followed) + strings.Join(e.Missed, " missed ")
		for _, o := range e.Outcomes {
			text += " " + o.Skill
		}
		got[e.Decision.Prompt] = text
	}
	want := map[string]string{
		"fill the form": "yes form", "bake a loaf": "yes bread", "sail home": "no", "tune the violin": "unknown",
		"wax the floor": "yes wax", "collect the tides": "yes tides",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what came of the prompts (-want +got):\n%s", diff)
	}
}

func TestFilters(t *testing.T) {
	dir := t.TempDir()
	decided(t, dir, "a", 0, injecting("p1", "office:pdf"))
	decided(t, dir, "b", time.Hour, func(r *journal.Record) { r.Session, r.Cwd = "s2", "/work/app/sub"; r.Decision.Lang = "ko" })
	decided(t, dir, "c", 2*time.Hour, func(r *journal.Record) {
		r.Cwd = "/work/app2"
		r.Decision.Verdict, r.Decision.Reason = gate.Skip, gate.Greeting
	})
	used(t, dir, "pdf", time.Minute, func(r *journal.Record) { r.PromptID = "p1" })
	db := openDB(t, dir)
	fold(t, db)
	tests := []struct {
		name string
		f    Filter
		want []string
	}{
		{"none", Filter{}, []string{"a", "b", "c"}},
		{"since", Filter{Since: noon.Add(time.Hour)}, []string{"b", "c"}},
		{"until", Filter{Until: noon.Add(time.Hour)}, []string{"a"}},
		{"session by its start", Filter{Session: "s"}, []string{"a", "b", "c"}},
		{"session", Filter{Session: "s2"}, []string{"b"}},
		{"project and below", Filter{Project: "/work/app"}, []string{"a", "b"}},
		{"project with a wildcard in its name", Filter{Project: "/work/%"}, []string{}},
		{"verdict", Filter{Verdict: "skip"}, []string{"c"}},
		{"reason", Filter{Reason: "greeting"}, []string{"c"}},
		{"language", Filter{Lang: "ko"}, []string{"b"}},
		{"skill", Filter{Skill: "office:pdf"}, []string{"a"}},
		{"skill by its last part", Filter{Skill: "pdf"}, []string{"a"}},
		{"skill that nobody named", Filter{Skill: "df"}, []string{}},
		{"followed", Filter{Followed: "yes"}, []string{"a"}},
		{"not followed", Filter{Followed: "no"}, []string{}},
		{"used", Filter{Used: true}, []string{"a"}},
		{"two at once", Filter{Lang: "en", Project: "/work/app2"}, []string{"c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := prompts(t, db, tt.f); !slices.Equal(got, tt.want) {
				t.Errorf("List(%+v) = %q, want %q", tt.f, got, tt.want)
			}
		})
	}
}

func TestGet(t *testing.T) {
	dir := t.TempDir()
	a := decided(t, dir, "a", 0, nil)
	decided(t, dir, "b", 0, nil)
	db := openDB(t, dir)
	fold(t, db)
	if e, err := db.Get(t.Context(), strings.ToLower(a.ID)); err != nil || e.Decision.Prompt != "a" {
		t.Errorf("Get(%s) = %+v, %v, want decision a", a.ID, e.Decision, err)
	}
	for prefix, want := range map[string]error{a.ID[:10]: ErrMany, "7ZZ": ErrNone, "": ErrNone} {
		if _, err := db.Get(t.Context(), prefix); !errors.Is(err, want) {
			t.Errorf("Get(%q) = %v, want %v", prefix, err, want)
		}
	}
}

func TestStats(t *testing.T) {
	dir := t.TempDir()
	watched(t, dir)
	for i := range 8 {
		decided(t, dir, "x", time.Duration(i)*time.Minute, func(r *journal.Record) { r.Decision.Ms.Total = float64(i + 1) })
	}
	decided(t, dir, "y", 13*time.Hour, func(r *journal.Record) { injecting("p1", "pdf", "docx")(r); r.Decision.Ms.Total = 9 })
	decided(t, dir, "z", 14*time.Hour, func(r *journal.Record) { injecting("p2", "pdf")(r); r.Decision.Ms.Total = 10 })
	used(t, dir, "docx", 13*time.Hour, func(r *journal.Record) { r.PromptID = "p1" })
	used(t, dir, "csv", 13*time.Hour, func(r *journal.Record) { r.PromptID = "p1" })
	db := openDB(t, dir)
	fold(t, db)
	got, err := db.Stats(t.Context(), Filter{}, StatsOptions{Catalog: []string{"pdf", "xlsx", "office:docx", "csv", "audio"}})
	if err != nil {
		t.Fatal(err)
	}
	tally := func(named, known, followed int) (c outcome.Tally) {
		for i := range named {
			state := outcome.Unknown
			if i < followed {
				state = outcome.Followed
			} else if i < known {
				state = outcome.NotFollowed
			}
			c.Add("s1", state, i < known)
		}
		c.Close()
		return c
	}
	want := Stats{
		First: noon, Last: noon.Add(14 * time.Hour), Decisions: 10, Sessions: 1,
		Injected: 2, InjectionRate: 0.2, Follow: tally(2, 1, 1), Missed: 1,
		Positions: []outcome.Tally{tally(2, 1, 0), tally(1, 1, 1)},
		Skills:    []SkillStats{{Name: "pdf", Tally: tally(2, 1, 0)}, {Name: "docx", Tally: tally(1, 1, 1)}, {Name: "csv", Missed: 1}},
		ByVerdict: []Count{{"silent", 8}, {"inject", 2}}, ByReason: []Count{{"below_need_min", 8}}, ByLang: []Count{{"en", 10}},
		Ms:          Percentiles{5, 10, 10},
		TopInjected: []Count{{"pdf", 2}, {"docx", 1}}, TopLoaded: []Count{{"csv", 1}, {"docx", 1}},
		Installed: 5, NeverUsed: []string{"audio", "xlsx"},
		PerDay: []Day{{"2026-03-04", 8, 0}, {"2026-03-05", 2, 2}},
		Score:  []Bucket{{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4, 0}, {4, 5, 0}, {5, 6, 0}, {6, 7, 0}, {7, 8, 0}, {8, 9, 0}, {9, 10, 2}},
		Kept:   Kept{Prompts: 10},
		Need:   []Bucket{{0, .1, 8}, {.1, .2, 0}, {.2, .3, 0}, {.3, .4, 0}, {.4, .5, 0}, {.5, .6, 0}, {.6, .7, 0}, {.7, .8, 0}, {.8, .9, 0}, {.9, 1, 2}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(outcome.Tally{})); diff != "" {
		t.Errorf("Stats (-want +got):\n%s", diff)
	}
	empty, err := db.Stats(t.Context(), Filter{Lang: "fr"}, StatsOptions{})
	if err != nil || empty.Decisions != 0 || empty.Follow.Rate != nil {
		t.Errorf("Stats of nothing = %+v, %v", empty, err)
	}
}

func TestPruneForgets(t *testing.T) {
	dir := t.TempDir()
	decided(t, dir, "prompt-of-long-ago", 0, injecting("p1", "pdf"))
	used(t, dir, "pdf", 25*time.Hour, func(r *journal.Record) { r.PromptID = "p1" })
	decided(t, dir, "young", 48*time.Hour, nil)
	db := openDB(t, dir)
	fold(t, db)
	got, err := db.Prune(t.Context(), noon.Add(24*time.Hour))
	if want := (Pruned{Decisions: 1, Outcomes: 1}); got != want || err != nil {
		t.Errorf("Prune = %+v, %v, want %+v", got, err, want)
	}
	if left := prompts(t, db, Filter{}); !slices.Equal(left, []string{"young"}) {
		t.Errorf("after Prune %q is left", left)
	}
	gone(t, dir, "prompt-of-long-ago")
}

// gone checks that no file of the journal holds text any more.
func gone(t *testing.T, dir, text string) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if content, _ := os.ReadFile(filepath.Join(dir, e.Name())); bytes.Contains(content, []byte(text)) {
			t.Errorf("%s still holds %q", e.Name(), text)
		}
	}
}

// What an earlier version logged is redacted again once, also by a process that comes after one that was killed.
func TestFoldRedactsAgain(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	for i, prompt := range []string{"mail ann@example.com", "plan a ferry", "mail bob@example.com"} {
		decided(t, dir, "", time.Duration(i)*time.Second, func(r *journal.Record) { r.Decision.Prompt = prompt })
	}
	exec := func(query string) {
		t.Helper()
		if _, err := db.sql.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(text string) (n int) { // in the lines as they are kept
		t.Helper()
		if err := db.sql.QueryRowContext(t.Context(), `SELECT count(*) FROM decision WHERE instr(line, ?)`, text).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	tell := func(want int) {
		t.Helper()
		if n, err := db.TellRedacted(t.Context()); n != want || err != nil {
			t.Errorf("TellRedacted = %d, %v, want %d", n, err, want)
		}
	}
	if err := journal.UpdateSession(dir, "s", func(s *journal.Session) { s.Load("ferry-plan") }); err != nil {
		t.Fatal(err)
	}
	memory, err := filepath.Glob(filepath.Join(dir, "sessions", "*.json"))
	if err != nil || len(memory) != 1 {
		t.Fatal(memory, err)
	}
	text, err := os.ReadFile(memory[0])
	if err == nil { // as 14d6c848 wrote it
		text = append([]byte(`{"topics":[["ann@example.com"]],`), text[1:]...)
		err = os.WriteFile(memory[0], text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	fold(t, db)
	if s, err := journal.LoadSession(dir, "s"); err != nil || !s.Knows("ferry-plan") {
		t.Errorf("after an upgrade the session is %+v, %v, want what it has loaded", s, err)
	}
	if n := holds("@example.com"); n != 0 {
		t.Errorf("after an upgrade %d lines hold an address, want 0", n)
	}
	gone(t, dir, "ann@example.com")
	tell(2)
	tell(0)

	// As a process leaves it that is killed after the first decision.
	exec(`UPDATE decision SET line = replace(line, 'mail [redacted:email]', 'mail eve@example.com')`)
	exec(`UPDATE redaction SET done = 0, told = 0, changed = 1, upto = (SELECT min(seq) FROM decision)`)
	fold(t, db)
	if n := holds("eve@example.com"); n != 1 {
		t.Errorf("after a killed fold and one more %d lines hold an address, want that of the first decision", n)
	}
	tell(2)

	fold(t, db) // it was done
	if n := holds("eve@example.com"); n != 1 {
		t.Errorf("a later fold leaves %d lines with an address, want 1", n)
	}
}

func TestRedactLowersTheLevel(t *testing.T) {
	dir := t.TempDir()
	decided(t, dir, "", 0, func(r *journal.Record) { r.Decision.Prompt = "mail ann@example.com about unicorns" })
	appendText(t, dir, "cut line with bob@example.com\n")
	db := openDB(t, dir)
	fold(t, db)
	if got := prompts(t, db, Filter{}); !slices.Equal(got, []string{"mail [redacted:email] about unicorns"}) {
		t.Errorf("after a fold the prompt is %q", got)
	}
	gone(t, dir, "ann@example.com")
	gone(t, dir, "bob@example.com")
	if n, err := db.Redact(t.Context(), journal.Full); n != 0 || err != nil {
		t.Errorf("Redact(full) after a fold = %d, %v, want 0", n, err)
	}
	if n, err := db.Redact(t.Context(), journal.Hash); n != 1 || err != nil {
		t.Fatalf("Redact(hash) = %d, %v, want 1", n, err)
	}
	gone(t, dir, "unicorns")
	gone(t, dir, "cut line")
	if _, err := db.Redact(t.Context(), "terms"); err == nil {
		t.Errorf("Redact(terms) = nil, want an error")
	}
}

func TestWatchReadsOn(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		decided(t, dir, fmt.Sprint("old ", i), time.Duration(i)*time.Second, nil)
	}
	db := openDB(t, dir)
	fold(t, db)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var got []string
	err := db.Watch(ctx, Filter{Limit: 2, Lang: "en"}, time.Millisecond, time.Now, func(e Entry) error {
		got = append(got, e.Decision.Prompt)
		switch len(got) {
		case 2:
			decided(t, dir, "other language", 4*time.Second, func(r *journal.Record) { r.Decision.Lang = "ko" })
			decided(t, dir, "new", 5*time.Second, nil)
		case 3:
			decided(t, dir, "late, of an earlier time", -time.Hour, nil)
		case 4:
			stop()
		}
		return nil
	})
	if want := []string{"old 1", "old 2", "new", "late, of an earlier time"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Watch = %v, saw %q, want %q", err, got, want)
	}
}

// A line may have been written before the table of secrets knew what is in it.
func TestOldLinesAreRedactedOnTheWayOut(t *testing.T) {
	dir := t.TempDir()
	r := decided(t, dir, "deploy with MARKER now", 0, func(r *journal.Record) {
		r.Decision.Candidates = []gate.Candidate{{Name: "deploy", Matched: []gate.Match{{Term: "MARKER", Score: 1}}}}
		r.Decision.Notes = []string{"note MARKER"}
	})
	db := openDB(t, dir)
	if _, err := db.Fold(t.Context(), noon.Add(time.Hour), time.Second); err != nil {
		t.Fatal(err)
	}
	const key = "AKIA" + "QYLPMN5HHHFPZAM2"
	if _, err := db.sql.Exec(`UPDATE decision SET line = replace(line, 'MARKER', ?)`, key); err != nil {
		t.Fatal(err)
	}
	one, err := db.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	list, err := db.List(t.Context(), Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range append(list, one) {
		text, err := json.Marshal(e)
		if err != nil || strings.Contains(string(text), key) || !strings.Contains(string(text), "deploy with ") {
			t.Errorf("an old line comes out as %s, %v, want its key redacted", text, err)
		}
	}
	var out bytes.Buffer
	if n, err := db.Export(t.Context(), &out); n != 1 || err != nil || strings.Contains(out.String(), key) {
		t.Errorf("an old line is exported as %s, %v, want its key redacted", out.String(), err)
	}
}
