package store

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

func TestTurnsSayWhatListDoes(t *testing.T) {
	dir := t.TempDir()
	watched(t, dir)
	keep := func(level string, set func(*journal.Record)) func(*journal.Record) {
		return func(r *journal.Record) {
			if set != nil {
				set(r)
			}
			r.Transcript, r.Skillgate, r.Settings = "/t.jsonl", "v1", "s"
			r.SetDecision(*r.Decision, level, []string{"meet", "minut"})
		}
	}
	decided(t, dir, "회의록 <b>\"정리\"</b>\u2028해줘", 0, keep(journal.Full, func(r *journal.Record) {
		injecting("p1", "pdf", "docx")(r)
		r.Decision.Trial = &gate.Trial{Experiment: "e", Held: false}
	}))
	used(t, dir, "docx", time.Second, func(r *journal.Record) { r.PromptID = "p1" })
	decided(t, dir, "meeting minutes", 2*time.Second, keep(journal.Terms, func(r *journal.Record) {
		injecting("p2", "pdf")(r)
		r.Decision.Trial = &gate.Trial{Experiment: "e", Held: true}
		r.Decision.HoldBack()
	}))
	used(t, dir, "xlsx", 3*time.Second, func(r *journal.Record) { r.PromptID = "p2" })
	decided(t, dir, "nobody's business", 4*time.Second, keep(journal.Hash, nil))
	decided(t, dir, "nor this", 5*time.Second, keep(journal.None, nil))
	decided(t, dir, "", 6*time.Second, func(r *journal.Record) { // from before the redaction rule for keys
		r.Prompts, r.Terms, r.Decision.Prompt = journal.Full, []string{"key"}, "the key is AKIAIOSFODNN7EXAMPQR"
	})
	db := openDB(t, dir)
	fold(t, db)
	list, err := db.List(t.Context(), Filter{})
	require.NoError(t, err)
	require.Len(t, list, 5)
	err = db.Turns(t.Context(), Filter{Drawn: true}, func(got *Turn) error {
		e := list[0]
		list = list[1:]
		want := &Drawn{Skillgate: e.Skillgate, Settings: e.Settings, Trial: e.Decision.Trial}
		assert.Empty(t, cmp.Diff(want, got.Drawn))
		turn := e.Turn()
		if got.State() != turn.State() || got.Over != turn.Over || !slices.Equal(got.Unnamed(), turn.Unnamed()) ||
			!cmp.Equal(got.Named, turn.Named) || !cmp.Equal(got.Kept, turn.Kept) || got.Session != e.Session {
			t.Errorf("%s is %+v, want %+v", e.ID, got.Turn, turn)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Empty(t, list)
}
