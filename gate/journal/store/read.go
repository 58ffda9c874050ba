package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

const readWait = 1000

// Read opens dir's journal for reading and folds it. It waits up to wait for another process's fold; if that fold takes
// longer, its lines are missing and Behind is true. If dir cannot be written or locked, Read opens a copy in a
// temporary folder, and Copied returns the reason. progress may be nil.
func Read(ctx context.Context, dir string, now time.Time, wait time.Duration,
	progress func(done, total int)) (*DB, error) {
	db, err := open(ctx, dir, readWait, "")
	if err == nil {
		db.Progress = progress
		if _, err = db.Fold(ctx, now, wait); err == nil {
			return db, nil
		}
		if db.Behind = errors.Is(err, ErrBusy); db.Behind {
			return db, nil
		}
		db.Close()
	}
	_, foreign := errors.AsType[*disk.ForeignError](err)
	if !foreign && !errors.Is(err, ErrDenied) && !errors.Is(err, ErrBusy) && !system.NoLocks(err) {
		return nil, err
	}
	db, cerr := openCopy(ctx, dir, err)
	if cerr != nil {
		return nil, errors.Join(err, cerr)
	}
	db.Progress = progress
	if _, cerr = db.Fold(ctx, now, wait); cerr != nil {
		db.Close()
		return nil, errors.Join(err, cerr)
	}
	return db, nil
}

// Copied returns the reason why a copy is open, or nil. Changes to a copy are lost.
func (db *DB) Copied() error { return db.copied }

const copies = 3

func openCopy(ctx context.Context, dir string, why error) (db *DB, err error) {
	made, err := disk.NewTemp("", "skillgate-log-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = made.Remove()
		}
	}()
	// The lines are copied before the database, so that lines folded in the meantime are in both copies.
	if err := copyLines(dir, made); err != nil {
		return nil, err
	}
	for range copies {
		before := versions(dir)
		for _, name := range []string{File, File + "-wal"} {
			if err := copyFile(dir, made, name); err != nil {
				return nil, err
			}
		}
		if versions(dir) == before {
			break
		}
	}
	options := "&_locking_mode=EXCLUSIVE&_pragma=locking_mode(exclusive)"
	if runtime.GOOS != "windows" {
		options += "&vfs=unix-none" // the temporary folder may not support locks either
	}
	if db, err = open(ctx, made.Path, readWait, options); err != nil {
		return nil, err
	}
	db.dir, db.copied, db.copy = dir, why, made
	return db, nil
}

func versions(dir string) string {
	var text strings.Builder
	for _, name := range []string{File, File + "-wal"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			fmt.Fprintln(&text, info.Size(), info.ModTime().UnixNano())
		}
	}
	return text.String()
}

func copyLines(dir string, to *disk.Temp) error {
	files, err := rotated(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, n := range files {
		if err := copyFile(dir, to, filepath.Base(rotatedFile(dir, n))); err != nil {
			return err
		}
	}
	return copyFile(dir, to, journal.File)
}

func copyFile(dir string, to *disk.Temp, name string) error {
	if err := to.Discard(name); err != nil {
		return err
	}
	in, err := regular.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(filepath.Join(to.Path, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
