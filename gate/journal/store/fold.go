package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

const lockFile = "fold.lock"

// BadFile is the file in the state folder for lines that no fold could read. BadFiles is a pattern that also matches
// files that were set aside because of a line too long to read.
const (
	BadFile  = "journal.bad.jsonl"
	BadFiles = "journal.bad*.jsonl"
)

// mostBad is the maximum number of bytes read from a file that may have no line breaks.
const mostBad = 64 << 20

// Unreadable returns the number of lines in BadFile plus the number of files that were set aside.
func (db *DB) Unreadable() (int, error) {
	text, err := regular.Head(filepath.Join(db.dir, BadFile), mostBad)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	aside, err := filepath.Glob(filepath.Join(db.dir, asideFile("*")))
	return bytes.Count(text, []byte("\n")) + len(aside), err
}

func asideFile(number string) string { return "journal.bad." + number + ".jsonl" }

// Folded counts the results of a fold.
type Folded struct {
	Added int // new records
	Bad   int // unreadable lines, moved to journal.bad.jsonl
}

// Fold moves the journal's lines into the database: it renames the open journal under its exclusive lock, inserts each
// renamed file in its own transaction and removes the file after the commit. If it is killed, the next fold reads the
// file again and skips the records that are already in the database. Fold also redacts lines that were stored under
// older redaction rules, and removes old session files.
//
// Only one process folds at a time. Another process waits up to wait and then returns ErrBusy; no line is lost.
func (db *DB) Fold(ctx context.Context, now time.Time, wait time.Duration) (Folded, error) {
	var sum Folded
	if db.copied != nil {
		if err := copyLines(db.dir, db.copy); err != nil {
			return sum, fmt.Errorf("move the log into the database: %w", err)
		}
	}
	lock, err := disk.OpenLock(ctx, filepath.Join(db.files, lockFile), wait)
	if err != nil {
		return sum, fmt.Errorf("move the log into the database: %w", denied(err))
	}
	defer lock.Close()
	files, err := rotated(db.files)
	if err != nil {
		return sum, fmt.Errorf("move the log into the database: %w", err)
	}
	next := 1
	if len(files) > 0 {
		next = files[len(files)-1] + 1
	}
	if ok, err := rotate(ctx, db.files, next); err != nil {
		return sum, fmt.Errorf("move the log into the database: %w", err)
	} else if ok {
		files = append(files, next)
	}
	for _, n := range files {
		if err := db.foldFile(ctx, rotatedFile(db.files, n), &sum); err != nil {
			return sum, fmt.Errorf("move the log into the database: %w", explain(err))
		}
	}
	if db.copied != nil {
		return sum, nil
	}
	if err := db.redactAgain(ctx); err != nil {
		return sum, fmt.Errorf("redact the log again: %w", explain(err))
	}
	return sum, journal.SweepSessions(db.dir, now)
}

// rotate renames the open journal to number n unless it is missing or empty. Writers hold the lock for microseconds.
func rotate(ctx context.Context, dir string, n int) (bool, error) {
	path := filepath.Join(dir, journal.File)
	f, err := regular.OpenFile(path, os.O_RDONLY|system.NoFollow, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || fi.Size() == 0 {
		return false, err
	}
	if err := disk.Lock(ctx, system.FileOf(f), disk.Exclusive, time.Second); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	folder, err := disk.Open(dir, disk.State)
	if err != nil {
		return false, denied(err)
	}
	defer folder.Close()
	return true, denied(folder.Rename(journal.File, filepath.Base(rotatedFile(dir, n))))
}

func rotatedFile(dir string, n int) string {
	return filepath.Join(dir, "journal."+strconv.Itoa(n)+".jsonl")
}

func rotated(dir string) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []int
	for _, e := range entries {
		mid, ok := strings.CutPrefix(e.Name(), "journal.")
		mid, ok2 := strings.CutSuffix(mid, ".jsonl")
		if n, err := strconv.Atoi(mid); ok && ok2 && err == nil && n > 0 && strconv.Itoa(n) == mid {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (db *DB) foldFile(ctx context.Context, path string, sum *Folded) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var bad [][]byte
	added, r := 0, lines{file: f, r: bufio.NewReaderSize(f, longest)}
	err = db.tx(ctx, func(tx *sql.Tx) error {
		in, err := newInserter(ctx, tx)
		if err != nil {
			return err
		}
		defer in.close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		for n, at := 1, 0; ; n++ {
			line, rerr := r.next()
			if at += len(line); db.Progress != nil && (n%step == 0 || rerr == io.EOF) {
				db.Progress(at>>10, int(info.Size()>>10))
			}
			if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
				rec, text, rest := read(line)
				if rest != nil && !r.long {
					bad = append(bad, rest)
				}
				if rec != nil {
					n, err := in.insert(rec, text)
					if err != nil {
						return err
					}
					added += n
				}
			}
			if rerr == io.EOF {
				break
			}
			if rerr != nil {
				return rerr
			}
		}
		if err := in.join(); err != nil {
			return err
		}
		// BadFile is written before the commit. After a crash between the two, the next fold finds the lines in BadFile and
		// does not add them again.
		return keepBad(filepath.Join(db.files, BadFile), bad)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	sum.Added += added
	sum.Bad += len(bad)
	folder, err := disk.Open(db.files, disk.State)
	if err != nil {
		return denied(err)
	}
	defer folder.Close()
	if r.skipped {
		aside := asideFile(strconv.FormatInt(time.Now().UnixNano(), 10))
		return denied(folder.Rename(filepath.Base(path), aside))
	}
	return denied(folder.Remove(filepath.Base(path)))
}

const longest = 1 << 20

// lines reads the lines of a file. If a line is too long, it reads only the first mostBad bytes of the line and the
// last mostBad bytes of the file.
type lines struct {
	file    *os.File
	r       *bufio.Reader
	long    bool // the current line was not read whole
	skipped bool // some line was not read whole
}

func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	l.long = false
	for read := longest; err == bufio.ErrBufferFull; read += longest {
		l.long, l.skipped = true, true
		if read == mostBad {
			at, serr := l.file.Seek(0, io.SeekCurrent)
			if size, eerr := l.file.Seek(-mostBad, io.SeekEnd); serr == nil && (eerr != nil || size < at) {
				_, serr = l.file.Seek(at, io.SeekStart)
			}
			if serr != nil {
				return nil, serr
			}
			l.r.Reset(l.file)
		}
		end := bytes.Clone(line[len(line)-longest/2:])
		line, err = l.r.ReadSlice('\n')
		line = append(end, line...)
	}
	return line, err
}

// read parses one line. If a process died while writing, the next record may follow on the same line and is read too.
// bad is the text that is not a record.
func read(line []byte) (rec *journal.Record, text, bad []byte) {
	if rec := parse(line); rec != nil {
		return rec, line, nil
	}
	if at := bytes.LastIndex(line, []byte(`{"v":`)); at > 0 {
		if rec := parse(line[at:]); rec != nil {
			return rec, line[at:], bytes.Clone(line[:at])
		}
	}
	return nil, nil, bytes.Clone(line)
}

func parse(line []byte) *journal.Record {
	var rec journal.Record
	if json.Unmarshal(line, &rec) != nil || rec.ID == "" || rec.V < 1 {
		return nil
	}
	return &rec
}

func keepBad(path string, lines [][]byte) error {
	if len(lines) == 0 {
		return nil
	}
	f, err := disk.OpenFile(path, disk.State, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return denied(err)
	}
	defer f.Close()
	known := map[string]bool{}
	r := bufio.NewReader(io.LimitReader(f, mostBad))
	for {
		line, err := r.ReadString('\n')
		known[strings.TrimRight(line, "\n")] = true
		if err != nil {
			break
		}
	}
	for _, line := range lines {
		if known[string(line)] {
			continue
		}
		if _, err := f.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return f.Sync()
}
