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

// BadFile is the name, in the state folder, of the lines that no fold could read. BadFiles is the
// pattern of its name and of those of files with a line that was too long to be read whole, which
// are kept as well.
const (
	BadFile  = "journal.bad.jsonl"
	BadFiles = "journal.bad*.jsonl"
)

// mostBad is how much is read of a file in which no line need have an end, in bytes.
const mostBad = 64 << 20

// Unreadable counts the lines in BadFiles, one for each that is too long.
func (db *DB) Unreadable() (int, error) {
	text, err := regular.Head(filepath.Join(db.dir, BadFile), mostBad)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	aside, err := filepath.Glob(filepath.Join(db.dir, asideFile("*")))
	return bytes.Count(text, []byte("\n")) + len(aside), err
}

func asideFile(number string) string { return "journal.bad." + number + ".jsonl" }

// Folded counts what a fold did.
type Folded struct {
	Added int // records that were not in the database yet
	Bad   int // lines that could not be read, kept in journal.bad.jsonl
}

// Fold moves the journal's lines into the database: it renames the open journal
// under its exclusive lock, inserts every rotated file in one transaction and
// removes the file after the commit. Killed at any point, it leaves a file that
// the next fold reads again; records already there are not inserted twice. What was logged
// before this version's rules of redaction is redacted again, and old session files are swept.
//
// One process folds at a time; another waits as long as wait and then returns
// ErrBusy, with nothing lost.
func (db *DB) Fold(ctx context.Context, now time.Time, wait time.Duration) (Folded, error) {
	var sum Folded
	if db.copied != nil {
		if err := copyLines(db.dir, db.copy); err != nil {
			return sum, fmt.Errorf("fold: %w", err)
		}
	}
	lock, err := disk.OpenLock(ctx, filepath.Join(db.files, lockFile), wait)
	if err != nil {
		return sum, fmt.Errorf("fold: %w", denied(err))
	}
	defer lock.Close()
	files, err := rotated(db.files)
	if err != nil {
		return sum, fmt.Errorf("fold: %w", err)
	}
	next := 1
	if len(files) > 0 {
		next = files[len(files)-1] + 1
	}
	if ok, err := rotate(ctx, db.files, next); err != nil {
		return sum, fmt.Errorf("fold: %w", err)
	} else if ok {
		files = append(files, next)
	}
	for _, n := range files {
		if err := db.foldFile(ctx, rotatedFile(db.files, n), &sum); err != nil {
			return sum, fmt.Errorf("fold: %w", explain(err))
		}
	}
	if db.copied != nil {
		return sum, nil
	}
	if err := db.redactAgain(ctx); err != nil {
		return sum, fmt.Errorf("fold: redact again: %w", explain(err))
	}
	return sum, journal.SweepSessions(db.dir, now)
}

// rotate renames the open journal to number n unless it is missing or empty.
// Appending takes microseconds, so the lock is there at once or not to be had.
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
		// Before the commit, so that a crash between the two leaves the file; the
		// lines are then found here and not kept twice.
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

// lines reads the lines of a file, of one without an end no more than mostBad of its beginning and of
// the file's end.
type lines struct {
	file    *os.File
	r       *bufio.Reader
	long    bool // the line was not read whole
	skipped bool // one was not
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

// read parses one line. Where a process died while it wrote, the next record may
// follow on the same line: it is read too. bad is what is not a record.
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
