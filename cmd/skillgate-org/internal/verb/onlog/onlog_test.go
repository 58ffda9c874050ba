package onlog

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/central"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgrestest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/otlp"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// TestWrite exports the logs of two machines, whose prompt ids are the same, and counts on what
// comes back what the machines count themselves.
func TestWrite(t *testing.T) {
	server := postgrestest.New(t)
	s, err := central.Open(t.Context(), server.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var last *apptest.Home
	for _, skill := range []string{"pdf", "csv"} {
		h := apptest.New(t)
		last = h
		h.Watch(t)
		h.Decide(t, 3*time.Hour, gate.Decision{Prompt: "merge", Verdict: gate.Inject, Lang: "en",
			Candidates: []gate.Candidate{{Name: skill, Pool: "skill", Injected: true}}}, journal.Full, "p1")
		h.Decide(t, 2*time.Hour, gate.Decision{Prompt: "thanks", Verdict: gate.Skip, Reason: gate.Ack, Lang: "en"}, journal.Full, "p2")
		use := journal.New(journal.KindOutcome, h.Now().Add(-170*time.Minute))
		use.Session, use.PromptID = "s1", "p1"
		use.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: "pdf", Success: true, Source: "PostToolUse", Call: "c1"}
		if err := journal.Append(h.State, use); err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(t.Context(), h.State)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Fold(t.Context(), h.Now(), time.Second); err != nil {
			t.Fatal(err)
		}
		to := httptest.NewServer(&central.Receiver{Store: s, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: h.Now})
		sent, err := otlp.Export(t.Context(), db, otlp.Options{Now: h.Now, Settle: time.Hour, Prompts: journal.Full,
			Resource: map[string]string{"team": skill + " team"},
			To:       otlp.Collector{Logs: to.URL + "/v1/logs", Metrics: to.URL + "/v1/metrics", Client: http.DefaultClient, Tries: 1}})
		to.Close()
		db.Close()
		if err != nil || sent.Decisions != 2 || sent.Uses != 1 {
			t.Fatalf("sent %+v, %v", sent, err)
		}
	}
	tests := []struct {
		team                       string
		decisions, yes, no, missed int
	}{
		{"", 4, 1, 1, 1},
		{"pdf team", 2, 1, 0, 0},
		{"csv team", 2, 0, 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.team, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "skillgate")
			n, err := Write(t.Context(), s, central.Filter{Team: tt.team}, dir)
			if err != nil || n != tt.decisions {
				t.Fatalf("%d decisions, %v; want %d", n, err, tt.decisions)
			}
			db, err := store.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Fold(t.Context(), last.Now(), time.Second); err != nil {
				t.Fatal(err)
			}
			yes, no, missed := 0, 0, 0
			err = db.Turns(t.Context(), store.Filter{}, func(turn *store.Turn) error {
				switch turn.State() {
				case "yes":
					yes++
				case "no":
					no++
				}
				missed += len(turn.Unnamed())
				return nil
			})
			if err != nil || yes != tt.yes || no != tt.no || missed != tt.missed {
				t.Errorf("yes %d, no %d, missed %d, %v; want %d, %d, %d", yes, no, missed, err, tt.yes, tt.no, tt.missed)
			}
		})
	}
}
