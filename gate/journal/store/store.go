// Package store folds the journal's lines into SQLite and queries them. Without cgo it uses SQLite translated to Go.
//
// journal.db (WAL, synchronous FULL: a file is removed after its lines are committed, so the commit must survive a
// power cut) has tables for decisions, suggestions, outcomes and other events. Each row has the whole journal line, and
// columns for queries. Its key is the record's id, so that folding a line twice changes nothing. user_version is the
// number of migrations applied; application_id marks the file as a journal.
//
// A file that is damaged, newer than this program or not a journal is refused and not changed. Several processes may
// use the database at once.
package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/system"
)

// File is the name of the database in the state folder.
const File = "journal.db"

// Exists reports whether a state folder has a log. It creates nothing.
func Exists(state string) bool {
	for _, name := range []string{File, journal.File} {
		if _, err := os.Stat(filepath.Join(state, name)); err == nil {
			return true
		}
	}
	return false
}

const applicationID = 0x736b6774

// busyTimeout is the time that a statement waits for another process's transaction, in milliseconds. A fold of 10,000
// lines takes less than a second.
const busyTimeout = 3000

// Errors from opening a journal, which is then left unchanged.
var (
	ErrCorrupt = errors.New("the database is damaged")
	ErrNewer   = errors.New("the database was written by a newer skillgate")
	ErrForeign = errors.New("not a skillgate journal")
	ErrDenied  = errors.New("not writable")
	// ErrBusy also reports a locked database.
	ErrBusy = journal.ErrBusy
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is an open journal.
type DB struct {
	// Progress is called during a fold, with KiB of its file, and during a query, with numbers of decisions. In the
	// last call done equals total. It may be nil.
	Progress func(done, total int)
	// Behind says that lines are missing because another process was folding them at the time.
	Behind bool

	dir    string
	files  string     // folder of the open files: dir or the folder of the copy
	copy   *disk.Temp // folder of the copy, or nil
	copied error      // reason for the copy, or nil
	sql    *sql.DB
}

const step = 1000

// counted returns two functions that report progress: one to call after each decision that is read, and one to call at
// the end.
func (db *DB) counted(ctx context.Context) (next, end func()) {
	if db.Progress == nil {
		return func() {}, func() {}
	}
	n := 0
	total, err := db.Decisions(ctx)
	if err != nil {
		return func() {}, func() {} // the query itself will report the error
	}
	return func() {
		if n++; n%step == 0 && n < total {
			db.Progress(n, total)
		}
	}, func() { db.Progress(total, total) }
}

// Open opens dir's journal, creates it if needed and applies migrations. Errors wrap ErrCorrupt, ErrNewer, ErrForeign,
// ErrDenied or ErrBusy.
func Open(ctx context.Context, dir string) (*DB, error) { return open(ctx, dir, busyTimeout, "") }

// open is like Open with a limit on the wait for locks, in milliseconds, and with further options for the driver.
func open(ctx context.Context, dir string, wait int, options string) (*DB, error) {
	path := filepath.Join(dir, File)
	// SQLite would create the file with a mode from the umask. It gives the files -wal and -shm the mode of this file.
	f, err := disk.OpenFile(path, disk.State, os.O_RDWR|os.O_CREATE)
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = disk.Alone(dir, disk.State, File+"-wal", File+"-shm", File+"-journal")
	}
	if err != nil {
		return nil, fmt.Errorf("journal: %w", denied(err))
	}
	// The last two options have the same effect: the first is for the driver in C, the second for the driver in Go.
	dsn := fmt.Sprintf("file:%s?_busy_timeout=%d&_synchronous=FULL&_txlock=immediate"+
		"&_foreign_keys=on&_secure_delete=on&_pragma=secure_delete(on)",
		(&url.URL{Path: path}).EscapedPath(), wait)
	conn, err := sql.Open("sqlite3", dsn+options)
	if err != nil {
		return nil, fmt.Errorf("journal: %s: %w", path, explain(err))
	}
	conn.SetMaxOpenConns(1)
	db := &DB{dir: dir, files: dir, sql: conn}
	if err := db.migrateWhenFree(ctx, time.Duration(wait)*time.Millisecond); err != nil {
		conn.Close()
		return nil, fmt.Errorf("journal: %s: %w", path, explain(err))
	}
	return db, nil
}

// Close closes the database and removes its copy, if any.
func (db *DB) Close() error {
	err := db.sql.Close()
	if db.copied != nil {
		err = errors.Join(err, db.copy.Remove())
	}
	return err
}

// Dir returns the state folder.
func (db *DB) Dir() string { return db.dir }

// migrateWhenFree retries migrate while another process creates or migrates the journal. SQLite does not wait for some
// locks, such as the lock for the switch to WAL.
func (db *DB) migrateWhenFree(ctx context.Context, wait time.Duration) error {
	for end := time.Now().Add(wait); ; time.Sleep(5 * time.Millisecond) {
		err := db.migrate(ctx)
		if err == nil || !errors.Is(explain(err), ErrBusy) || time.Now().After(end) {
			return err
		}
	}
}

func (db *DB) migrate(ctx context.Context) error {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	slices.Sort(names)
	var version, app, tables int
	// A single statement sees a file that another process is creating as either complete or empty.
	const state = `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_master)`
	if err := db.sql.QueryRowContext(ctx, state).Scan(&version, &app, &tables); err != nil {
		return err
	}
	switch {
	case app != applicationID && (tables > 0 || version > 0):
		return ErrForeign
	case version > len(names):
		return fmt.Errorf("schema is %d but must be at most %d: %w", version, len(names), ErrNewer)
	case version == len(names):
		return nil
	}
	if _, err := db.sql.ExecContext(ctx, "PRAGMA journal_mode=WAL"); err != nil {
		return err
	}
	for n, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if err := db.apply(ctx, n+1, string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (db *DB) apply(ctx context.Context, n int, text string) error {
	return db.tx(ctx, func(tx *sql.Tx) error {
		var version int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		if version >= n {
			return nil
		}
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, n))
		return err
	})
}

func (db *DB) rows(ctx context.Context, query string, args []any, into ...any) iter.Seq[error] {
	return func(yield func(error) bool) {
		rows, err := db.sql.QueryContext(ctx, query, args...)
		if err != nil {
			yield(err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			if !yield(rows.Scan(into...)) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(err)
		}
	}
}

func failed(err error) error { return fmt.Errorf("journal: %w", explain(err)) }

func (db *DB) tx(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) || err != nil && err.Error() == "cannot rollback - no transaction is active" {
		return nil
	}
	return err
}

// Primary result codes of SQLite.
const (
	sqliteError    = 1
	sqlitePerm     = 3
	sqliteBusy     = 5
	sqliteLocked   = 6
	sqliteReadOnly = 8
	sqliteCorrupt  = 11
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

func explain(err error) error {
	code, ok := codeOf(err)
	if !ok {
		return err
	}
	for _, e := range []error{ErrCorrupt, ErrBusy, ErrDenied} {
		if errors.Is(err, e) {
			return err
		}
	}
	switch code & 0xff {
	case sqliteError, sqliteCorrupt, sqliteNotADB: // a table is missing or JSON is invalid
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	case sqliteBusy, sqliteLocked:
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case sqliteReadOnly, sqlitePerm, sqliteCantOpen:
		return fmt.Errorf("%w: %w", ErrDenied, err)
	}
	return err
}

func decode(text string, into any) error {
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

func denied(err error) error {
	if system.Unwritable(err) {
		return fmt.Errorf("%w: %w", ErrDenied, err)
	}
	return err
}
