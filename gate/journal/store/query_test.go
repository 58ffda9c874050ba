package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/outcome"
)

// write logs events a second apart: "watched"; "ask p1 pdf docx", a decision in turn p1 ("-" for none) with suggestions;
// "use p1 pdf", a use in a turn. For an ask, "held" withholds the hint and "late" marks a late registration. For a use,
// "typed", "failed", "read" (pdf's file) and "elsewhere" (another session) say how. "@N" sets the second.
func write(t *testing.T, dir, events string) {
	t.Helper()
	at := time.Duration(0)
	for n, event := range strings.Split(events, "; ") {
		words := strings.Fields(event)
		at += time.Second
		flags := map[string]bool{}
		words = slices.DeleteFunc(words, func(w string) bool {
			if second, ok := strings.CutPrefix(w, "@"); ok {
				s, _ := strconv.Atoi(second)
				at = time.Duration(s) * time.Second
				return true
			}
			flag := slices.Contains([]string{"held", "late", "typed", "failed", "read", "elsewhere"}, w)
			flags[w] = flag
			return flag
		})
		switch words[0] {
		case "watched":
			watched(t, dir)
		case "ask":
			decided(t, dir, fmt.Sprint(n), at, func(r *journal.Record) {
				if r.PromptID = strings.TrimPrefix(words[1], "-"); len(words) > 2 {
					injecting(r.PromptID, words[2:]...)(r)
				}
				if flags["held"] {
					r.Decision.HoldBack()
				}
				if flags["late"] {
					r.Decision.Verdict, r.Decision.Reason = gate.Skip, gate.Repeat
				}
			})
		case "use":
			used(t, dir, words[2], at, func(r *journal.Record) {
				r.PromptID = strings.TrimPrefix(words[1], "-")
				r.Outcome.Success = !flags["failed"]
				if flags["typed"] {
					r.Outcome.Tool = journal.ToolTyped
				}
				if flags["read"] {
					r.Outcome.Tool, r.Outcome.Path = journal.ToolRead, "/skills/pdf/SKILL.md"
				}
				if flags["elsewhere"] {
					r.Session = "s2"
				}
			})
		}
	}
}

func TestOutcomesJoinTheirDecision(t *testing.T) {
	tests := []struct{ name, events, follow, missed string }{
		{"named skill loaded", "ask p1 pdf docx; use p1 docx", "yes", ""},
		{"nothing reported is unknown", "ask p1 pdf", "unknown", ""},
		{"another skill loaded", "ask p1 pdf; use p1 xlsx", "unknown", "xlsx"},
		{"another skill loaded, and the session went on", "watched; ask p1 pdf; use p1 xlsx; ask p2", "no -", "xlsx"},
		{"nothing used, and the session went on while it was watched", "watched; ask p1 pdf; ask p2", "no -", ""},
		{"nobody watched", "ask p1 pdf; ask p2", "unknown -", ""},
		{"nobody saw the session start, and a skill was used later", "ask p1 pdf; ask p2 pdf; use p2 pdf", "unknown yes", ""},
		{"an experiment kept the hint back, and the skill was used", "ask p1 pdf held; use p1 pdf", "-", ""},
		{"the clock jumped back before the next prompt", "watched; ask p1 pdf @3600; ask p2 @1", "- no", ""},
		{"the next prompt is queued in the same turn", "watched; ask p1 pdf; ask p1", "unknown -", ""},
		{"failed load does not count", "ask p1 pdf; use p1 pdf failed", "unknown", ""},
		{"plugin skill under its last part", "ask p1 office:pdf; use p1 pdf", "yes", ""},
		{"library file read", "ask p1 pdf; use p1 something read", "yes", ""},
		{"prompt id beats time", "ask p1 pdf; ask p2 docx; use p1 pdf", "yes unknown", ""},
		{"without a prompt id the nearest earlier decision of the session",
			"ask - pdf; ask - pdf; use - pdf; ask - pdf; use - pdf elsewhere", "unknown yes unknown", ""},
		{"first prompt has no id, its outcome has", "ask - pdf; use p1 pdf", "yes", ""},
		{"id of a prompt that was not logged is nobody's", "ask p1 pdf; use p2 pdf", "unknown", ""},
		{"queued prompt, used in a turn of its own", "ask p1 pdf; ask p1 docx; use p1 pdf; use p2 docx", "yes yes", ""},
		{"two queued prompts, used in one turn", "ask p1 pdf; ask p1 docx; ask p1 pptx; use p2 docx; use p2 xlsx",
			"unknown yes unknown", "xlsx"},
		{"queued prompt, another one since", "ask p1 pdf; ask p1 docx; ask p2 pptx; use p3 docx", "unknown unknown unknown", ""},
		{"queued prompt, a command typed before its decision", "ask p1 pdf; ask p1 docx; use p2 docx typed; ask p2",
			"unknown unknown -", ""},
		{"typed command before its decision", "use p1 pdf typed; ask p1", "-", ""},
		{"the registration that was late began first", "ask p1 late @1; ask p1 pdf @1; use p1 pdf", "- yes", ""},
		{"a repeated prompt, and one that was queued in its turn", "ask p1 late; ask p1 pdf; use p1 pdf", "- unknown", "pdf"},
		{"silent decision missed a skill", "ask p1; use p1 pdf", "-", "pdf"},
	}
	for _, tt := range tests {
		for _, halves := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, fold between: %v", tt.name, halves), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				write(t, dir, tt.events)
				db := openDB(t, dir)
				if halves { // fold each line on its own
					text, err := os.ReadFile(filepath.Join(dir, journal.File))
					require.NoError(t, err)
					for line := range strings.Lines(string(text)) {
						require.NoError(t, os.WriteFile(filepath.Join(dir, journal.File), []byte(line), 0o600))
						fold(t, db)
					}
				}
				fold(t, db)
				list, err := db.List(t.Context(), Filter{})
				require.NoError(t, err)
				var follow, missed []string
				for _, e := range list {
					follow = append(follow, cmp.Or(string(e.Followed), "-"))
					missed = append(missed, e.Missed...)
				}
				if f, m := strings.Join(follow, " "), strings.Join(missed, " "); f != tt.follow || m != tt.missed {
					t.Errorf("followed %q, missed %q, want %q, %q", f, m, tt.follow, tt.missed)
				}
			})
		}
	}
}

func watched(t *testing.T, dir string) {
	t.Helper()
	r := journal.New(journal.KindSession, noon.Add(-time.Hour))
	r.Session = "s1"
	require.NoError(t, journal.Append(dir, r))
}

func turnEnded(t *testing.T, dir string, of journal.Record, turn string, over bool, after time.Duration) {
	t.Helper()
	r := journal.New(journal.KindTurn, noon.Add(after))
	r.Session, r.PromptID, r.Of, r.Over = of.Session, turn, of.ID, over
	require.NoError(t, journal.Append(dir, r))
}

// Turns from before the first reported end count as well.
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
	require.NoError(t, err)
	want := map[string]bool{"prune the roses": true, "mow the lawn": true, "rake the leaves": true, "stack the wood": false, "sweep the path": false}
	assert.Empty(t, gocmp.Diff(want, got))
}

// Folding the end of a turn must not read a whole table.
func TestEndOfATurnReadsNoWholeTable(t *testing.T) {
	db := openDB(t, t.TempDir())
	for query, args := range map[string][]any{takeBackSQL: {"1", "s1", "id"}, oldestLooseSQL: {"1", 0}} {
		rows, err := db.sql.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
		require.NoError(t, err)
		for rows.Next() {
			var id, parent, unused int
			var detail string
			require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
			t.Log(detail)
			if strings.HasPrefix(detail, "SCAN") && detail != "SCAN CONSTANT ROW" {
				t.Errorf("%s: %s", query, detail)
			}
		}
		require.NoError(t, errors.Join(rows.Err(), rows.Close()))
	}
}

// Reported ends of turns say which prompt a use belongs to and whether its absence is a no.
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
	fold(t, db) // joins the use of bread with what is known so far
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
	require.NoError(t, journal.Append(dir, declined))
	used(t, dir, "tides", 12*time.Second, func(r *journal.Record) { r.PromptID, r.Outcome.Agent = "5", "a1" })
	used(t, dir, "wax", 13*time.Second, func(r *journal.Record) { r.PromptID, r.Outcome.Agent = "5", "a1" })
	fold(t, db)
	list, err := db.List(t.Context(), Filter{Lookups: true})
	require.NoError(t, err)
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
	assert.Empty(t, gocmp.Diff(want, got))
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
		{"two at once", Filter{Lang: "en", Project: "/work/app2"}, []string{"c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, prompts(t, db, tt.f))
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
		_, err := db.Get(t.Context(), prefix)
		assert.ErrorIs(t, err, want, prefix)
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
	require.NoError(t, err)
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
		Kept:   Kept{Prompts: 10},
	}
	assert.Empty(t, gocmp.Diff(want, got, cmpopts.IgnoreUnexported(outcome.Tally{})))
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
	if n, any, err := db.CountOlder(t.Context(), noon.Add(24*time.Hour)); n != 1 || !any || err != nil {
		t.Errorf("CountOlder = %d, %v, %v, want one decision", n, any, err)
	}
	assert.NoError(t, db.Prune(t.Context(), noon.Add(24*time.Hour)))
	assert.Equal(t, []string{"young"}, prompts(t, db, Filter{}))
	gone(t, dir, "prompt-of-long-ago")
}

func gone(t *testing.T, dir, text string) {
	t.Helper()
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		content, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		assert.False(t, bytes.Contains(content, []byte(text)), "%s still holds %q", e.Name(), text)
	}
}

// Lines of an earlier version are redacted once, also after a process was killed.
func TestFoldRedactsAgain(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	for i, prompt := range []string{"mail ann@example.com", "plan a ferry", "mail bob@example.com"} {
		decided(t, dir, "", time.Duration(i)*time.Second, func(r *journal.Record) { r.Decision.Prompt = prompt })
	}
	exec := func(query string) {
		t.Helper()
		_, err := db.sql.ExecContext(t.Context(), query)
		require.NoError(t, err)
	}
	holds := func(text string) (n int) { // in the stored lines
		t.Helper()
		err := db.sql.QueryRowContext(t.Context(), `SELECT count(*) FROM decision WHERE instr(line, ?)`, text).Scan(&n)
		require.NoError(t, err)
		return n
	}
	tell := func(want int) {
		t.Helper()
		if n, err := db.TellRedacted(t.Context()); n != want || err != nil {
			t.Errorf("TellRedacted = %d, %v, want %d", n, err, want)
		}
	}
	fold(t, db)
	assert.Equal(t, 0, holds("@example.com"))
	gone(t, dir, "ann@example.com")
	tell(2)
	tell(0)

	// State after a process was killed after the first decision.
	exec(`UPDATE decision SET line = replace(line, 'mail [redacted:email]', 'mail eve@example.com')`)
	exec(`UPDATE redaction SET done = 0, told = 0, changed = 1, upto = (SELECT min(seq) FROM decision)`)
	fold(t, db)
	assert.Equal(t, 1, holds("eve@example.com"))
	tell(2)

	fold(t, db) // nothing left to do
	assert.Equal(t, 1, holds("eve@example.com"))
}

func TestRedactLowersTheLevel(t *testing.T) {
	dir := t.TempDir()
	decided(t, dir, "", 0, func(r *journal.Record) { r.Decision.Prompt = "mail ann@example.com about unicorns" })
	appendText(t, dir, "cut line with bob@example.com\n")
	db := openDB(t, dir)
	fold(t, db)
	assert.Equal(t, []string{"mail [redacted:email] about unicorns"}, prompts(t, db, Filter{}))
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
	_, err := db.Redact(t.Context(), "terms")
	assert.Error(t, err, "Redact(terms) = nil, want an error")
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
	require.NoError(t, err)
	assert.Equal(t, []string{"old 1", "old 2", "new", "late, of an earlier time"}, got)
}

// Lines from before a redaction rule are redacted when they are read.
func TestOldLinesAreRedactedOnTheWayOut(t *testing.T) {
	dir := t.TempDir()
	r := decided(t, dir, "deploy with MARKER now", 0, func(r *journal.Record) {
		r.Decision.Candidates = []gate.Candidate{{Name: "deploy", Matched: []gate.Match{{Term: "MARKER", Score: 1}}}}
		r.Decision.Notes = []string{"note MARKER"}
	})
	db := openDB(t, dir)
	_, err := db.Fold(t.Context(), noon.Add(time.Hour), time.Second)
	require.NoError(t, err)
	const key = "AKIA" + "QYLPMN5HHHFPZAM2"
	_, err = db.sql.Exec(`UPDATE decision SET line = replace(line, 'MARKER', ?)`, key)
	require.NoError(t, err)
	one, err := db.Get(t.Context(), r.ID)
	require.NoError(t, err)
	list, err := db.List(t.Context(), Filter{})
	require.NoError(t, err)
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
