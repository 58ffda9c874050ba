package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

// fill logs n decisions with ten candidates each, five of them explained and
// named, and an outcome for every third.
func fill(b *testing.B, dir string, n int) {
	b.Helper()
	for i := range n {
		at := noon.Add(time.Duration(i) * time.Second)
		r := journal.New(journal.KindDecision, at)
		r.Session, r.PromptID = fmt.Sprint("s", i/20), fmt.Sprint("p", i)
		d := gate.Decision{Prompt: "정리해서 보고서로 만들어줘 please, with a table of totals", Verdict: gate.Inject, Need: 0.8}
		for c := range 10 {
			k := gate.Candidate{Rank: c + 1, Name: fmt.Sprint("skill-", (i+c)%400), Path: "/skills/x/SKILL.md", Pool: "skill", Score: 9, Injected: c < 5}
			if c < 5 {
				k.Matched = []gate.Match{{Term: "보고서", Via: "report", Field: "name", Score: 4}, {Term: "table", Field: "description", Score: 5}}
			}
			d.Candidates = append(d.Candidates, k)
		}
		r.SetDecision(d, journal.Full, nil)
		if err := journal.Append(dir, r); err != nil {
			b.Fatal(err)
		}
		if i%3 == 0 {
			o := journal.New(journal.KindOutcome, at)
			o.Session, o.PromptID = r.Session, r.PromptID
			o.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: "skill-1", Success: true}
			if err := journal.Append(dir, o); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkFold10000(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		dir := b.TempDir()
		fill(b, dir, 10000)
		db, err := Open(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := db.Fold(b.Context(), noon, 0); err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
}

func BenchmarkRead10000(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 10000)
	db, err := Open(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Fold(b.Context(), noon, 0); err != nil {
		b.Fatal(err)
	}
	b.Run("Stats", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.Stats(b.Context(), Filter{}, StatsOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Each", func(b *testing.B) {
		for b.Loop() {
			if err := db.Each(b.Context(), Filter{}, func(Entry) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Newest20", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.List(b.Context(), Filter{Newest: true, Limit: 20}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
