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
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/secret"
)

// Pruned counts what a Prune removes.
type Pruned struct {
	Decisions int `json:"decisions"`
	Outcomes  int `json:"outcomes"`
	Events    int `json:"events"`
}

// CountOlder counts what Prune would remove.
func (db *DB) CountOlder(ctx context.Context, before time.Time) (Pruned, error) {
	var p Pruned
	err := db.sql.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM decision WHERE time < ?1),
		(SELECT count(*) FROM outcome WHERE time < ?1 OR decision IN (SELECT id FROM decision WHERE time < ?1)),
		(SELECT count(*) FROM event WHERE time < ?1)`, before.UnixNano()).Scan(&p.Decisions, &p.Outcomes, &p.Events)
	if err != nil {
		return p, fmt.Errorf("prune: %w", explain(err))
	}
	return p, nil
}

// Prune removes every record older than before, the outcomes of removed
// decisions, and the file of unreadable lines where its last one is older. The
// space goes back to the file system.
func (db *DB) Prune(ctx context.Context, before time.Time) (Pruned, error) {
	p, err := db.CountOlder(ctx, before)
	if err != nil {
		return p, err
	}
	err = db.tx(ctx, func(tx *sql.Tx) error {
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
		return p, fmt.Errorf("prune: %w", explain(err))
	}
	bad := filepath.Join(db.dir, BadFile)
	if fi, err := os.Stat(bad); err == nil && fi.ModTime().Before(before) {
		if err := os.Remove(bad); err != nil {
			return p, fmt.Errorf("prune: %w", err)
		}
	}
	return p, nil
}

// Redact redacts every logged prompt again with today's rules and, for level
// journal.Hash or journal.None, keeps no more of it than that; journal.Full
// lowers nothing. The file of unreadable lines is redacted too, or removed where
// the level is lowered. It returns how many records changed.
func (db *DB) Redact(ctx context.Context, level string) (int, error) {
	switch level {
	case journal.Full, journal.Hash, journal.None:
	default:
		return 0, fmt.Errorf("redact: level %q, want full, hash or none", level)
	}
	changed := 0
	err := db.tx(ctx, func(tx *sql.Tx) error {
		for last := int64(0); ; {
			rows, err := tx.QueryContext(ctx, `SELECT seq, line FROM decision WHERE seq > ? ORDER BY seq LIMIT 500`, last)
			if err != nil {
				return err
			}
			lines, n := map[int64]string{}, 0
			for rows.Next() {
				var line string
				if err := rows.Scan(&last, &line); err != nil {
					rows.Close()
					return err
				}
				n++
				var r journal.Record
				if err := decode(line, &r); err != nil {
					rows.Close()
					return err
				}
				if r.Lower(level) {
					text, err := json.Marshal(r)
					if err != nil {
						rows.Close()
						return err
					}
					lines[last] = string(text)
				}
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				return err
			}
			if n == 0 {
				return nil
			}
			for seq, line := range lines {
				if _, err := tx.ExecContext(ctx, `UPDATE decision SET line = ? WHERE seq = ?`, line, seq); err != nil {
					return err
				}
				changed++
			}
		}
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

func (db *DB) redactBad(level string) error {
	bad := filepath.Join(db.dir, BadFile)
	text, err := os.ReadFile(bad)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if level != journal.Full {
		return os.Remove(bad)
	}
	clean := secret.Redact(string(text))
	if clean == string(text) {
		return nil
	}
	return disk.Write(bad, []byte(clean), disk.Options{})
}

// compact rewrites the file without what was deleted; the write-ahead log is
// emptied too, since it holds the old pages.
func (db *DB) compact(ctx context.Context) error {
	if _, err := db.sql.ExecContext(ctx, "VACUUM"); err != nil {
		return err
	}
	_, err := db.sql.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// Size is what the journal takes on disk.
type Size struct {
	Database  int64 `json:"database"` // bytes, with the write-ahead log
	Lines     int64 `json:"lines"`    // bytes not folded yet
	Bad       int64 `json:"bad"`      // bytes of unreadable lines
	Decisions int   `json:"decisions"`
	Outcomes  int   `json:"outcomes"`
}

// Size measures the journal's files and counts its rows.
func (db *DB) Size(ctx context.Context) (Size, error) {
	s, err := fileSize(db.dir)
	if err != nil {
		return s, err
	}
	err = db.sql.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM decision), (SELECT count(*) FROM outcome)`).Scan(&s.Decisions, &s.Outcomes)
	if err != nil {
		return s, failed(err)
	}
	return s, nil
}

// fileSize measures the journal's files without opening the database. A missing
// folder is an empty journal.
func fileSize(dir string) (Size, error) {
	var s Size
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("journal: %w", err)
	}
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil {
			continue
		}
		switch name := e.Name(); {
		case name == BadFile:
			s.Bad += fi.Size()
		case strings.HasPrefix(name, File):
			s.Database += fi.Size()
		case strings.HasPrefix(name, "journal.") && strings.HasSuffix(name, ".jsonl"):
			s.Lines += fi.Size()
		}
	}
	return s, nil
}
