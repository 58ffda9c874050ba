// Package central keeps what machines export in PostgreSQL, and gives it back as a journal.
//
// Rows are keyed by the id of their record, so that what is sent twice is kept once. The
// tables and the views on them are in schema.sql.
package central

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgres"
)

//go:embed schema.sql
var schema string

// Schema is the SQL that Open applies to a database without tables of skillgate.
func Schema() string { return schema }

// tables are those of schema.sql.
var tables = postgres.Schema{Name: "skillgate", Version: "skillgate central 1", SQL: schema}

// Store is a database with the tables. Its methods may be called at once.
type Store struct{ pool *pgxpool.Pool }

// Open connects to the database at that address (package postgres) and makes the tables where
// there are none.
func Open(ctx context.Context, address string) (*Store, error) {
	pool, err := postgres.Open(ctx, address, tables)
	if err != nil {
		return nil, err
	}
	return &Store{pool}, nil
}

// Close ends all connections.
func (s *Store) Close() { s.pool.Close() }

// Add keeps the records that are not there yet, all or none.
func (s *Store) Add(ctx context.Context, records Records) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := partitions(ctx, tx, records); err != nil {
			return err
		}
		var b pgx.Batch
		for i := range records.Decisions {
			d := &records.Decisions[i]
			b.Queue(`INSERT INTO skillgate.decision VALUES
				($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25)
				ON CONFLICT DO NOTHING`,
				d.ID, d.Time, d.Machine, d.Team, d.Version, d.Session, d.PromptID, d.Source, d.Project, d.Verdict, d.Reason,
				d.Lang, d.Need, d.Seconds, d.Characters, d.Over, d.Followed, d.Named, d.NamedFollowed, d.Kept, d.Used, d.Missed,
				d.Typed, d.Experiment, d.Line)
		}
		for i := range records.Uses {
			u := &records.Uses[i]
			b.Queue(`INSERT INTO skillgate.use VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12) ON CONFLICT DO NOTHING`,
				u.ID, u.Time, u.Machine, u.Team, u.Version, u.Session, u.PromptID, u.Decision, u.Skill, u.Tool, u.Success, u.Line)
		}
		return tx.SendBatch(ctx, &b).Close()
	})
}

// partitions makes those that the records need. Two writers may need one at the same time: the
// advisory lock lets one make it.
func partitions(ctx context.Context, tx pgx.Tx, records Records) error {
	months := map[time.Time]bool{}
	note := func(t time.Time) {
		t = t.UTC()
		months[time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)] = true
	}
	for i := range records.Decisions {
		note(records.Decisions[i].Time)
	}
	for i := range records.Uses {
		note(records.Uses[i].Time)
	}
	for from := range months {
		for _, table := range []string{"decision", "use"} {
			name := fmt.Sprintf("skillgate.%s_%s", table, from.Format("2006_01"))
			var there bool
			if err := tx.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, name).Scan(&there); err != nil {
				return err
			}
			if there {
				continue
			}
			if err := postgres.Lock(ctx, tx); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s PARTITION OF skillgate.%s
				FOR VALUES FROM ('%s') TO ('%s')`,
				name, table, from.Format(time.RFC3339), from.AddDate(0, 1, 0).Format(time.RFC3339)))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Filter chooses records.
type Filter struct {
	Team         string // "": all
	Since, Until time.Time
}

// Lines calls yield for the journal's line of each decision, with whether its turn has ended,
// and of each use, with the id of the decision that it came of; oldest first.
func (s *Store) Lines(ctx context.Context, f Filter, yield func(line, of string, over, use bool) error) error {
	if f.Until.IsZero() {
		f.Until = time.Now().AddDate(100, 0, 0)
	}
	rows, err := s.pool.Query(ctx, `
		SELECT line, id, over, false, time FROM skillgate.decision WHERE ($1 = '' OR team = $1) AND time >= $2 AND time < $3
		UNION ALL
		SELECT line, decision, false, true, time FROM skillgate.use WHERE ($1 = '' OR team = $1) AND time >= $2 AND time < $3
		ORDER BY 5`, f.Team, f.Since, f.Until)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var line, of string
		var over, use bool
		var at time.Time
		if err := rows.Scan(&line, &of, &over, &use, &at); err != nil {
			return err
		}
		if err := yield(line, of, over, use); err != nil {
			return err
		}
	}
	return rows.Err()
}
