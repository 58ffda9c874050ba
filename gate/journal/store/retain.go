package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/secret"
)

// CountOlder returns the number of decisions that Prune would remove, and whether it would remove anything.
func (db *DB) CountOlder(ctx context.Context, before time.Time) (decisions int, any bool, err error) {
	err = db.sql.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM decision WHERE time < ?1),
		EXISTS (SELECT 1 FROM decision WHERE time < ?1) OR EXISTS (SELECT 1 FROM outcome WHERE time < ?1)
		OR EXISTS (SELECT 1 FROM event WHERE time < ?1)`, before.UnixNano()).Scan(&decisions, &any)
	if err != nil {
		err = fmt.Errorf("prune: %w", explain(err))
	}
	return decisions, any, err
}

// Prune removes every record older than before and the outcomes of removed decisions. It also removes BadFile if its
// last line is older. The space is returned to the file system.
func (db *DB) Prune(ctx context.Context, before time.Time) error {
	if db.copied != nil {
		return db.copied
	}
	err := db.tx(ctx, func(tx *sql.Tx) error {
		for _, q := range []string{
			`DELETE FROM outcome WHERE time < ?1 OR decision IN (SELECT id FROM decision WHERE time < ?1)`,
			`DELETE FROM decision WHERE time < ?1`,
			`DELETE FROM event WHERE time < ?1`,
		} {
			if _, err := tx.ExecContext(ctx, q, before.UnixNano()); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = db.compact(ctx)
	}
	if err != nil {
		return fmt.Errorf("prune: %w", explain(err))
	}
	if fi, err := os.Stat(filepath.Join(db.dir, BadFile)); err == nil && fi.ModTime().Before(before) {
		if err := db.removeBad(); err != nil {
			return fmt.Errorf("prune: %w", err)
		}
	}
	return nil
}

// Redact redacts every logged prompt with the current rules. Level journal.Hash or journal.None also reduces prompts to
// that level, and removes BadFile; with journal.Full, BadFile is redacted. Redact returns the number of changed
// records.
func (db *DB) Redact(ctx context.Context, level string) (int, error) {
	switch level {
	case journal.Full, journal.Hash, journal.None:
	default:
		return 0, fmt.Errorf("redact: level is %q but must be full, hash or none", level)
	}
	if db.copied != nil {
		return 0, db.copied
	}
	changed := 0
	err := db.tx(ctx, func(tx *sql.Tx) error {
		for last, n := int64(0), 1; n > 0; {
			var err error
			var k int
			if last, n, k, err = lower(ctx, tx, last, level); err != nil {
				return err
			}
			changed += k
		}
		return nil
	})
	if err == nil {
		err = db.redactBad(level)
	}
	if err == nil && changed > 0 {
		err = db.compact(ctx)
	}
	if err != nil {
		return 0, fmt.Errorf("redact: %w", explain(err))
	}
	return changed, nil
}

// lower calls Lower on the next 500 decisions after sequence number last and stores the changed ones. It returns the
// last sequence number read, and how many decisions it read and changed.
func lower(ctx context.Context, tx *sql.Tx, last int64, level string) (upto int64, read, changed int, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT seq, line FROM decision WHERE seq > ? ORDER BY seq LIMIT 500`, last)
	if err != nil {
		return last, 0, 0, err
	}
	defer rows.Close()
	lowered := map[int64]journal.Record{}
	for upto = last; rows.Next(); read++ {
		var line string
		if err := rows.Scan(&upto, &line); err != nil {
			return upto, read, 0, err
		}
		var r journal.Record
		if err := decode(line, &r); err != nil {
			return upto, read, 0, err
		}
		if r.Lower(level) {
			lowered[upto] = r
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return upto, read, 0, err
	}
	for seq, r := range lowered {
		line, err := json.Marshal(r)
		if err != nil {
			return upto, read, 0, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE decision SET line = ?, cwd = ? WHERE seq = ?`, string(line), r.Cwd, seq)
		if err != nil {
			return upto, read, 0, err
		}
	}
	return upto, read, len(lowered), nil
}

// redactAgain redacts lines that were stored under older rules, once for each version of the rules. It commits after
// every 500 decisions, so that another process can continue if this one is killed.
func (db *DB) redactAgain(ctx context.Context) error {
	var finished bool
	err := db.sql.QueryRowContext(ctx, `SELECT count(*) FROM redaction WHERE rules = ? AND done = 1`,
		secret.Rules).Scan(&finished)
	if err != nil || finished {
		return err
	}
	for {
		read := 0
		var upto int64
		var changed int
		err := db.tx(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO redaction (rules, upto, changed) VALUES (?, 0, 0)
				ON CONFLICT DO NOTHING`, secret.Rules)
			if err != nil {
				return err
			}
			row := tx.QueryRowContext(ctx, `SELECT upto, changed FROM redaction WHERE rules = ?`, secret.Rules)
			if err := row.Scan(&upto, &changed); err != nil {
				return err
			}
			n := 0
			if upto, read, n, err = lower(ctx, tx, upto, journal.Full); err != nil {
				return err
			}
			changed += n
			_, err = tx.ExecContext(ctx, `UPDATE redaction SET upto = ?, changed = ? WHERE rules = ?`,
				upto, changed, secret.Rules)
			return err
		})
		switch {
		case err != nil:
			return err
		case read > 0:
			continue
		case changed > 0:
			err = db.compact(ctx)
		}
		if err = errors.Join(err, db.redactBad(journal.Full)); err != nil {
			return err
		}
		_, err = db.sql.ExecContext(ctx, `UPDATE redaction SET done = 1 WHERE rules = ?`, secret.Rules)
		return err
	}
}

// TellRedacted returns the number of older decisions that the current rules changed. Later calls return 0.
func (db *DB) TellRedacted(ctx context.Context) (n int, err error) {
	err = db.sql.QueryRowContext(ctx, `UPDATE redaction SET told = 1 WHERE rules = ? AND done = 1 AND told = 0
		RETURNING changed`, secret.Rules).Scan(&n)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, failed(err)
	}
	return n, nil
}

func (db *DB) removeBad() error {
	folder, err := disk.Open(db.dir, disk.State)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Remove(BadFile)
}

func (db *DB) redactBad(level string) error {
	bad := filepath.Join(db.dir, BadFile)
	text, err := regular.Read(bad, mostBad)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if level != journal.Full {
		return db.removeBad()
	}
	clean := secret.Redact(string(text))
	if clean == string(text) {
		return nil
	}
	return disk.Keep(bad, disk.State, []byte(clean), disk.Options{})
}

// compact rewrites the file without deleted data and empties the write-ahead log, which still contains the old pages.
func (db *DB) compact(ctx context.Context) error {
	if _, err := db.sql.ExecContext(ctx, "VACUUM"); err != nil {
		return err
	}
	_, err := db.sql.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// Decisions returns the number of decisions in the database.
func (db *DB) Decisions(ctx context.Context) (n int, err error) {
	if err = db.sql.QueryRowContext(ctx, `SELECT count(*) FROM decision`).Scan(&n); err != nil {
		err = failed(err)
	}
	return n, err
}
