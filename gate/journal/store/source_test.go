package store

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal"
)

// Lookups of MCP clients are not prompts: they are listed only on request and not counted.
func TestLookupsAreNoPrompts(t *testing.T) {
	dir := t.TempDir()
	decided(t, dir, "typed", 0, injecting("p1", "pdf"))
	decided(t, dir, "looked up", time.Second, func(r *journal.Record) {
		injecting("", "docx")(r)
		r.Source, r.Session = journal.SourceMCP, ""
	})
	db := openDB(t, dir)
	fold(t, db)
	for _, tt := range []struct {
		filter Filter
		want   []string
	}{
		{Filter{}, []string{"typed"}},
		{Filter{Lookups: true}, []string{"typed", "looked up"}},
		{Filter{Lookups: true, Skill: "docx"}, []string{"looked up"}},
	} {
		list, err := db.List(t.Context(), tt.filter)
		require.NoError(t, err)
		var got []string
		for _, e := range list {
			got = append(got, e.Decision.Prompt)
		}
		if len(got) != len(tt.want) || got[0] != tt.want[0] || got[len(got)-1] != tt.want[len(got)-1] {
			t.Errorf("List(%+v) = %q, want %q", tt.filter, got, tt.want)
		}
	}
	s, err := db.Stats(t.Context(), Filter{}, StatsOptions{})
	if err != nil || s.Decisions != 1 || s.Sessions != 1 || s.Injected != 1 || len(s.TopInjected) != 1 || s.TopInjected[0].Name != "pdf" {
		t.Errorf("Stats = %+v, %v; want the typed prompt alone", s, err)
	}
}

func TestJournalFromBeforeSources(t *testing.T) {
	dir := t.TempDir()
	decided(t, dir, "old", 0, injecting("p1", "pdf"))
	db := openDB(t, dir)
	fold(t, db)
	db.Close()
	conn, err := sql.Open("sqlite3", filepath.Join(dir, File))
	require.NoError(t, err)
	_, err = conn.Exec(`DROP INDEX outcome_prompt; DROP INDEX decision_over;
		ALTER TABLE decision DROP COLUMN source; ALTER TABLE decision DROP COLUMN over; DROP INDEX event_session; ALTER TABLE named DROP COLUMN kept;
		ALTER TABLE outcome ADD COLUMN followed INTEGER NOT NULL DEFAULT 0; DROP TABLE redaction; PRAGMA user_version = 1`)
	conn.Close()
	require.NoError(t, err)
	if list, err := openDB(t, dir).List(t.Context(), Filter{}); err != nil || len(list) != 1 || list[0].Decision.Prompt != "old" {
		t.Errorf("List of a journal of schema 1 = %+v, %v; want its decision", list, err)
	}
}
