package store

import (
	"context"
	"fmt"

	"github.com/skillgate/skillgate/gate/journal"
)

// Sequence numbers count what was folded in, decisions and uses apart, from 1 on. What reads
// the journal piece by piece goes on after the last number that it saw.

// DecidedAfter calls yield for every decision, also those about subagents' tasks and of clients
// of the MCP server, whose sequence number is above after, in order, until yield fails.
// The database is busy meanwhile: yield must not use it.
func (db *DB) DecidedAfter(ctx context.Context, after int64, yield func(seq int64, e Entry) error) error {
	return db.each(ctx, Filter{Lookups: true, after: &after}, yield)
}

// UsedAfter calls yield for every use whose sequence number is above after, in order, until
// yield fails. decision is the id of the decision that it came of, "" where there is none.
// The database is busy meanwhile: yield must not use it.
func (db *DB) UsedAfter(ctx context.Context, after int64,
	yield func(seq int64, decision string, r journal.Record) error) error {
	var seq int64
	var decision, line string
	for err := range db.rows(ctx, `SELECT seq, coalesce(decision, ''), line FROM outcome WHERE seq > ? ORDER BY seq`,
		[]any{after}, &seq, &decision, &line) {
		if err != nil {
			return failed(err)
		}
		var r journal.Record
		if err := decode(line, &r); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if r.Outcome == nil {
			continue
		}
		if err := yield(seq, decision, r); err != nil {
			return err
		}
	}
	return nil
}

// Ends returns the highest sequence numbers that were given to decisions and uses, also where
// these were removed since, and the lowest one of a decision; 0 where there is none.
func (db *DB) Ends(ctx context.Context) (decision, use, first int64, err error) {
	err = db.sql.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'decision'), 0),
		coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outcome'), 0),
		(SELECT coalesce(min(seq), 0) FROM decision)`).Scan(&decision, &use, &first)
	if err != nil {
		err = failed(err)
	}
	return decision, use, first, err
}
