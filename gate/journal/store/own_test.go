package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate/journal"
)

func decidedOf(t *testing.T, db *DB) []string {
	t.Helper()
	out := prompts(t, db, Filter{})
	slices.Sort(out)
	return out
}

// A line that does not end takes neither memory nor time, and what is around it is read.
func TestFoldOfAFileWithoutALineEnd(t *testing.T) {
	for _, size := range []int64{3 * longest, 2*mostBad + 17, 4 << 30} {
		dir := t.TempDir()
		decided(t, dir, "before", 0, nil)
		path := filepath.Join(dir, journal.File)
		if err := os.Truncate(path, size); err != nil {
			t.Skip(err)
		}
		decided(t, dir, "same", 0, nil) // the line's end is its own
		decided(t, dir, "after", 0, nil)
		db, err := Read(t.Context(), dir, time.Unix(2, 0), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := decidedOf(t, db), []string{"after", "before", "same"}; !slices.Equal(got, want) {
			t.Errorf("of %d bytes the decisions are %v, want %v", size, got, want)
		}
		if n, err := db.Unreadable(); n != 1 || err != nil {
			t.Errorf("of %d bytes %d lines are unreadable (%v), want one", size, n, err)
		}
		if kept, _ := filepath.Glob(filepath.Join(dir, asideFile("*"))); len(kept) != 1 {
			t.Errorf("of %d bytes are kept %v, want one file", size, kept)
		}
		db.Close()
	}
}

// tree returns what is in a folder, by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			out[e.Name()] = string(text)
		} else {
			out[e.Name()] = e.Type().String()
		}
	}
	return out
}

func TestReadWhereNothingCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"folded", "in the write-ahead log"} {
		decided(t, dir, id, 0, nil)
		db, err := Open(t.Context(), dir)
		if err == nil {
			_, err = db.Fold(t.Context(), time.Unix(2, 0), 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		if id == "folded" {
			db.Close()
		} else {
			defer db.Close() // which would empty the write-ahead log
		}
	}
	decided(t, dir, "a line", 0, nil)
	if err := os.Rename(filepath.Join(dir, journal.File), rotatedFile(dir, 1)); err != nil {
		t.Fatal(err)
	}
	decided(t, dir, "the newest line", 0, nil)
	if info, err := os.Stat(filepath.Join(dir, File+"-wal")); err != nil || info.Size() == 0 {
		t.Fatalf("no write-ahead log: %v", err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	was := tree(t, dir)
	db, err := openCopy(t.Context(), dir, ErrDenied)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Fold(t.Context(), time.Unix(2, 0), 0); err != nil {
		t.Fatal(err)
	}
	want := []string{"a line", "folded", "in the write-ahead log", "the newest line"}
	if got := decidedOf(t, db); !slices.Equal(got, want) {
		t.Errorf("the copy has %v, want %v", got, want)
	}
	decided(t, dir, "written since", 0, nil)
	was[journal.File] = tree(t, dir)[journal.File]
	if _, err := db.Fold(t.Context(), time.Unix(2, 0), 0); err != nil || len(decidedOf(t, db)) != len(want)+1 {
		t.Errorf("after another fold the copy has %v (%v), want the line written since too", decidedOf(t, db), err)
	}
	if err := db.Prune(t.Context(), time.Unix(9, 0)); !errors.Is(err, ErrDenied) {
		t.Errorf("Prune of a copy: %v, want %v", err, ErrDenied)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if got := tree(t, dir); len(got) != len(was) || got[File] != was[File] || got[journal.File] != was[journal.File] {
		t.Error("reading a copy changes the original")
	}
	if left := tree(t, tmp); len(left) > 0 {
		t.Errorf("left in the temporary folder: %v", left)
	}
}

// Whatever is in a file's place, Read returns at once, and its error names the file.
func TestReadOfFoldersAndDevices(t *testing.T) {
	for _, name := range []string{File, File + "-wal", File + "-shm", journal.File, "journal.1.jsonl", lockFile} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if db, err := Read(t.Context(), dir, time.Unix(2, 0), 0, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a folder in place of %s: %v, want an error with its name", name, err)
			if err == nil {
				db.Close()
			}
		}
	}
}
