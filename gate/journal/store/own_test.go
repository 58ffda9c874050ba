package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal"
)

func decidedOf(t *testing.T, db *DB) []string {
	t.Helper()
	out := prompts(t, db, Filter{})
	slices.Sort(out)
	return out
}

// A line without an end takes neither memory nor time, and the lines around it are read.
func TestFoldOfAFileWithoutALineEnd(t *testing.T) {
	for _, size := range []int64{3 * longest, 2*mostBad + 17, 4 << 30} {
		dir := t.TempDir()
		decided(t, dir, "before", 0, nil)
		path := filepath.Join(dir, journal.File)
		if err := os.Truncate(path, size); err != nil {
			t.Skip(err)
		}
		decided(t, dir, "same", 0, nil) // shares its line end with the hole
		decided(t, dir, "after", 0, nil)
		db, err := Read(t.Context(), dir, time.Unix(2, 0), 0, nil)
		require.NoError(t, err)
		got, want := decidedOf(t, db), []string{"after", "before", "same"}
		assert.Equal(t, want, got, size)
		if n, err := db.Unreadable(); n != 1 || err != nil {
			t.Errorf("of %d bytes %d lines are unreadable (%v), want one", size, n, err)
		}
		kept, _ := filepath.Glob(filepath.Join(dir, asideFile("*")))
		assert.Len(t, kept, 1, size)
		db.Close()
	}
}

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Type().IsRegular() {
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			require.NoError(t, err)
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
		require.NoError(t, err)
		if id == "folded" {
			db.Close()
		} else {
			defer db.Close() // closing would empty the write-ahead log
		}
	}
	decided(t, dir, "a line", 0, nil)
	require.NoError(t, os.Rename(filepath.Join(dir, journal.File), rotatedFile(dir, 1)))
	decided(t, dir, "the newest line", 0, nil)
	if info, err := os.Stat(filepath.Join(dir, File+"-wal")); err != nil || info.Size() == 0 {
		t.Fatalf("no write-ahead log: %v", err)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	was := tree(t, dir)
	db, err := openCopy(t.Context(), dir, ErrDenied)
	require.NoError(t, err)
	_, err = db.Fold(t.Context(), time.Unix(2, 0), 0)
	require.NoError(t, err)
	want := []string{"a line", "folded", "in the write-ahead log", "the newest line"}
	assert.Equal(t, want, decidedOf(t, db))
	decided(t, dir, "written since", 0, nil)
	was[journal.File] = tree(t, dir)[journal.File]
	if _, err := db.Fold(t.Context(), time.Unix(2, 0), 0); err != nil || len(decidedOf(t, db)) != len(want)+1 {
		t.Errorf("after another fold the copy has %v (%v), want the line written since too", decidedOf(t, db), err)
	}
	assert.ErrorIs(t, db.Prune(t.Context(), time.Unix(9, 0)), ErrDenied)
	assert.NoError(t, db.Close())
	if got := tree(t, dir); len(got) != len(was) || got[File] != was[File] || got[journal.File] != was[journal.File] {
		t.Error("reading a copy changes the original")
	}
	assert.Empty(t, tree(t, tmp))
}

// Whatever is at a file's path, Read returns at once with an error that names it.
func TestReadOfFoldersAndDevices(t *testing.T) {
	for _, name := range []string{File, File + "-wal", File + "-shm", journal.File, "journal.1.jsonl", lockFile} {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
		if db, err := Read(t.Context(), dir, time.Unix(2, 0), 0, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a folder in place of %s: %v, want an error with its name", name, err)
			if err == nil {
				db.Close()
			}
		}
	}
}
