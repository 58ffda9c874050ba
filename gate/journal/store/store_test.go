package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system/systemtest"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// appenderDir makes this test binary append lines to a journal instead of running tests, like 16 hooks.
const appenderDir = "STORE_TEST_APPEND_DIR"

const appends = 25

func TestMain(m *testing.M) {
	if dir := os.Getenv(appenderDir); dir != "" {
		for i := range appends {
			r := journal.New(journal.KindDecision, time.Now())
			r.SetDecision(gate.Decision{Prompt: fmt.Sprintf("prompt %s/%d", os.Getenv("STORE_TEST_NAME"), i), Verdict: gate.Silent}, journal.Full, nil)
			if err := journal.Append(dir, r); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func openDB(t *testing.T, dir string) *DB {
	t.Helper()
	db, err := Open(t.Context(), dir)
	require.NoError(t, err, dir)
	t.Cleanup(func() { db.Close() })
	return db
}

func decided(t *testing.T, dir, prompt string, after time.Duration, set func(*journal.Record)) journal.Record {
	t.Helper()
	r := journal.New(journal.KindDecision, noon.Add(after))
	r.Session, r.Cwd = "s1", "/work/app"
	r.SetDecision(gate.Decision{Prompt: prompt, Lang: "en", Verdict: gate.Silent, Reason: gate.BelowNeedMin, Candidates: []gate.Candidate{}}, journal.Full, nil)
	if set != nil {
		set(&r)
	}
	require.NoError(t, journal.Append(dir, r))
	return r
}

func injecting(promptID string, names ...string) func(*journal.Record) {
	return func(r *journal.Record) {
		r.PromptID = promptID
		d := r.Decision
		d.Verdict, d.Reason, d.Need, d.Ms.Total = gate.Inject, "", 0.9, 5
		for i, n := range names {
			d.Candidates = append(d.Candidates, gate.Candidate{Rank: i + 1, Name: n, Path: "/skills/" + n + "/SKILL.md",
				Pool: "skill", Score: 9 - float64(i), Injected: true})
		}
	}
}

func used(t *testing.T, dir, skill string, after time.Duration, set func(*journal.Record)) {
	t.Helper()
	r := journal.New(journal.KindOutcome, noon.Add(after))
	r.Session = "s1"
	r.Outcome = &journal.Outcome{Tool: journal.ToolSkill, Skill: skill, Success: true, Source: "PostToolUse"}
	if set != nil {
		set(&r)
	}
	require.NoError(t, journal.Append(dir, r))
}

func fold(t *testing.T, db *DB) Folded {
	t.Helper()
	sum, err := db.Fold(t.Context(), noon, time.Second)
	require.NoError(t, err)
	return sum
}

func prompts(t *testing.T, db *DB, f Filter) []string {
	t.Helper()
	list, err := db.List(t.Context(), f)
	require.NoError(t, err, f)
	out := []string{}
	for _, e := range list {
		out = append(out, e.Decision.Prompt)
	}
	return out
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	out := []string{}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") {
			out = append(out, e.Name())
		}
	}
	return out
}

func TestFoldMovesLines(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	assert.Equal(t, Folded{}, fold(t, db))
	decided(t, dir, "one", 0, nil)
	decided(t, dir, "two", time.Second, nil)
	assert.Equal(t, Folded{Added: 2}, fold(t, db))
	assert.Empty(t, files(t, dir))
	decided(t, dir, "three", 2*time.Second, nil)
	fold(t, db)
	assert.Equal(t, []string{"one", "two", "three"}, prompts(t, db, Filter{}))
	assert.Equal(t, []string{"three", "two"}, prompts(t, db, Filter{Newest: true, Limit: 2}))
	if fi, _ := os.Stat(filepath.Join(dir, File)); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode of the database = %o, want 600", fi.Mode().Perm())
	}
}

func TestFoldAfterACrash(t *testing.T) {
	tests := []struct {
		name  string
		crash func(t *testing.T, dir string)
	}{
		{"after the rename", func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, journal.File), rotatedFile(dir, 3)))
		}},
		{"after the commit, before the removal", func(t *testing.T, dir string) {
			text, err := os.ReadFile(filepath.Join(dir, journal.File))
			require.NoError(t, err)
			db := openDB(t, dir)
			fold(t, db)
			require.NoError(t, os.WriteFile(rotatedFile(dir, 1), text, 0o600))
		}},
		{"in the middle of the transaction", func(t *testing.T, dir string) {
			db := openDB(t, dir)
			broken := errors.New("killed")
			err := db.tx(t.Context(), func(tx *sql.Tx) error {
				if _, err := tx.Exec(`INSERT INTO event VALUES ('x', 1, 'session', 's', '{}')`); err != nil {
					return err
				}
				return broken
			})
			require.ErrorIs(t, err, broken)
			require.NoError(t, os.Rename(filepath.Join(dir, journal.File), rotatedFile(dir, 1)))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			decided(t, dir, "one", 0, injecting("p1", "pdf"))
			used(t, dir, "pdf", time.Second, func(r *journal.Record) { r.PromptID = "p1" })
			appendText(t, dir, "not json\n")
			tt.crash(t, dir)
			decided(t, dir, "two", 2*time.Second, nil)
			db := openDB(t, dir)
			fold(t, db)
			assert.Equal(t, []string{"one", "two"}, prompts(t, db, Filter{}))
			var out bytes.Buffer
			if n, err := db.Export(t.Context(), &out); n != 3 || err != nil {
				t.Errorf("Export = %d, %v, want 3 records", n, err)
			}
			var named int
			require.NoError(t, db.sql.QueryRow(`SELECT count(*) FROM named`).Scan(&named))
			assert.Equal(t, 1, named)
			assert.Equal(t, []string{BadFile}, files(t, dir))
			bad, _ := os.ReadFile(filepath.Join(dir, BadFile))
			assert.Equal(t, "not json\n", string(bad))
		})
	}
}

func appendText(t *testing.T, dir, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, journal.File), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteString(text)
	require.NoError(t, err)
}

func TestFoldKeepsUnreadableLines(t *testing.T) {
	dir := t.TempDir()
	appendText(t, dir, "garbage\n\n{\"v\":1}\n")
	appendText(t, dir, `{"v":1,"id":"01CUT","kind":"decision","decision":{"prompt":"no sp`)
	decided(t, dir, "whole", 0, nil) // continues the line that was cut off
	appendText(t, dir, "\x00\xff\n")
	db := openDB(t, dir)
	if sum := fold(t, db); sum.Added != 1 || sum.Bad != 4 {
		t.Errorf("Fold = %+v, want 1 added and 4 bad", sum)
	}
	assert.Equal(t, []string{"whole"}, prompts(t, db, Filter{}))
	bad, _ := os.ReadFile(filepath.Join(dir, BadFile))
	want := "garbage\n{\"v\":1}\n{\"v\":1,\"id\":\"01CUT\",\"kind\":\"decision\",\"decision\":{\"prompt\":\"no sp\n\x00\xff\n"
	assert.Equal(t, want, string(bad))
}

func TestAppendsDuringFoldsAreNotLost(t *testing.T) {
	dir := t.TempDir()
	const procs = 16
	ctx, stop := context.WithCancel(t.Context())
	var folders sync.WaitGroup
	for range 2 {
		folders.Go(func() {
			db, err := Open(context.Background(), dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			for ctx.Err() == nil {
				if _, err := db.Fold(context.Background(), noon, 0); err != nil && !errors.Is(err, ErrBusy) {
					t.Errorf("Fold = %v", err)
					return
				}
			}
		})
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	var hooks sync.WaitGroup
	for i := range procs {
		hooks.Go(func() {
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), appenderDir+"="+dir, "STORE_TEST_NAME="+strconv.Itoa(i))
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, "appender %d: %v: %s", i, err, out)
		})
	}
	hooks.Wait()
	stop()
	folders.Wait()
	db := openDB(t, dir)
	fold(t, db)
	seen := map[string]int{}
	for _, p := range prompts(t, db, Filter{}) {
		seen[p]++
	}
	for i := range procs {
		for k := range appends {
			assert.Equal(t, 1, seen[fmt.Sprintf("prompt %d/%d", i, k)], k)
		}
	}
	assert.Empty(t, files(t, dir))
}

func TestOneFolderAtATime(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	decided(t, dir, "one", 0, nil)
	held, err := disk.OpenLock(t.Context(), filepath.Join(dir, lockFile), 0)
	require.NoError(t, err)
	_, err = db.Fold(t.Context(), noon, 5*time.Millisecond)
	assert.ErrorIs(t, err, ErrBusy)
	held.Close()
	assert.Equal(t, 1, fold(t, db).Added)
}

func TestOpenRefuses(t *testing.T) {
	rewrite := func(query string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			conn, err := sql.Open("sqlite3", filepath.Join(dir, File))
			require.NoError(t, err)
			defer conn.Close()
			_, err = conn.Exec(query)
			require.NoError(t, err)
		}
	}
	tests := []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   error
	}{
		{"newer schema", func(t *testing.T, dir string) {
			openDB(t, dir).Close()
			rewrite("PRAGMA user_version = 999")(t, dir)
		}, ErrNewer},
		{"somebody else's database", rewrite("CREATE TABLE diary (x)"), ErrForeign},
		{"not a database", func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, File), bytes.Repeat([]byte("not a database. "), 500), 0o600))
		}, ErrCorrupt},
		{"truncated database", func(t *testing.T, dir string) {
			decided(t, dir, "one", 0, nil)
			db := openDB(t, dir)
			fold(t, db)
			db.Close()
			require.NoError(t, os.Truncate(filepath.Join(dir, File), 5000))
		}, ErrCorrupt},
		{"named pipe", func(t *testing.T, dir string) {
			require.NoError(t, systemtest.Mkfifo(filepath.Join(dir, File)))
		}, regular.ErrNotRegular},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.damage(t, dir)
			before, _ := os.Stat(filepath.Join(dir, File))
			decided(t, dir, "not folded", time.Minute, nil)
			db, err := Open(t.Context(), dir)
			if err == nil {
				_, err = db.Fold(t.Context(), noon, 0)
				if err == nil {
					_, err = db.List(t.Context(), Filter{})
				}
				db.Close()
			}
			require.ErrorIs(t, err, tt.want)
			after, _ := os.Stat(filepath.Join(dir, File))
			assert.Equal(t, before.Size(), after.Size())
			text := ""
			for _, name := range files(t, dir) {
				b, _ := os.ReadFile(filepath.Join(dir, name))
				text += string(b)
			}
			assert.Contains(t, text, "not folded")
		})
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o500))
	defer os.Chmod(dir, 0o700)
	_, err := Open(t.Context(), dir)
	assert.ErrorIs(t, err, ErrDenied)
}

func TestLockedDatabaseLosesNothing(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	_, err := db.sql.Exec("PRAGMA busy_timeout = 20")
	require.NoError(t, err)
	decided(t, dir, "one", 0, nil)
	other := openDB(t, dir)
	tx, err := other.sql.Begin() // takes the write lock because of _txlock=immediate
	require.NoError(t, err)
	_, err = db.Fold(t.Context(), noon, 0)
	assert.ErrorIs(t, err, ErrBusy)
	assert.NoError(t, journal.Append(dir, journal.Record{V: 1, ID: "X", Kind: journal.KindSession}))
	tx.Rollback()
	assert.Equal(t, 2, fold(t, db).Added)
}

func TestFolderNamesWithSpecialCharacters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c#d%41 가")
	db := openDB(t, dir)
	decided(t, dir, "one", 0, nil)
	fold(t, db)
	_, err := os.Stat(filepath.Join(dir, File))
	assert.NoError(t, err, dir)
	assert.Len(t, prompts(t, db, Filter{}), 1)
}

// No part of a line is lost: it is a record, or kept as bad, or split into both.
func FuzzRead(f *testing.F) {
	r := journal.New(journal.KindDecision, noon)
	line, _ := json.Marshal(r)
	f.Add(line)
	f.Add([]byte(`{"v":1,"id":"cut","dec` + string(line)))
	f.Add([]byte("garbage"))
	f.Fuzz(func(t *testing.T, line []byte) {
		rec, text, bad := read(line)
		if got := append(bytes.Clone(bad), text...); !bytes.Equal(got, line) {
			t.Errorf("read(%q) keeps %q", line, got)
		}
		if (rec == nil) != (text == nil) {
			t.Errorf("read(%q) = record %v with text %q", line, rec, text)
		}
	})
}

func TestOpenAtOneMoment(t *testing.T) {
	for range 40 {
		dir := t.TempDir()
		var ready, done sync.WaitGroup
		start := make(chan struct{})
		for range 6 {
			ready.Add(1)
			done.Go(func() {
				ready.Done()
				<-start
				db, err := Open(context.Background(), dir)
				if err != nil {
					t.Errorf("Open = %v", err)
					return
				}
				db.Close()
			})
		}
		ready.Wait()
		close(start)
		done.Wait()
	}
}
