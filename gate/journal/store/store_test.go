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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system/systemtest"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// appenderDir makes this test binary append lines to a journal instead of
// running tests: 16 of them stand for 16 hooks.
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
	if err != nil {
		t.Fatalf("Open(%s) = %v", dir, err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// decided appends a decision at noon plus after, changed by set.
func decided(t *testing.T, dir, prompt string, after time.Duration, set func(*journal.Record)) journal.Record {
	t.Helper()
	r := journal.New(journal.KindDecision, noon.Add(after))
	r.Session, r.Cwd = "s1", "/work/app"
	r.SetDecision(gate.Decision{Prompt: prompt, Lang: "en", Verdict: gate.Silent, Reason: gate.BelowNeedMin, Candidates: []gate.Candidate{}}, journal.Full, nil)
	if set != nil {
		set(&r)
	}
	if err := journal.Append(dir, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// injecting makes a decision name skills.
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
	if err := journal.Append(dir, r); err != nil {
		t.Fatal(err)
	}
}

func fold(t *testing.T, db *DB) Folded {
	t.Helper()
	sum, err := db.Fold(t.Context(), noon, time.Second)
	if err != nil {
		t.Fatalf("Fold = %v", err)
	}
	return sum
}

func prompts(t *testing.T, db *DB, f Filter) []string {
	t.Helper()
	list, err := db.List(t.Context(), f)
	if err != nil {
		t.Fatalf("List(%+v) = %v", f, err)
	}
	out := []string{}
	for _, e := range list {
		out = append(out, e.Decision.Prompt)
	}
	return out
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
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
	if sum := fold(t, db); sum != (Folded{}) {
		t.Errorf("Fold of nothing = %+v", sum)
	}
	decided(t, dir, "one", 0, nil)
	decided(t, dir, "two", time.Second, nil)
	if sum := fold(t, db); sum != (Folded{Added: 2}) {
		t.Errorf("Fold of two lines = %+v", sum)
	}
	if left := files(t, dir); len(left) != 0 {
		t.Errorf("after a fold %q is left, want nothing", left)
	}
	decided(t, dir, "three", 2*time.Second, nil)
	fold(t, db)
	if got := prompts(t, db, Filter{}); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("List = %q, want all three in order", got)
	}
	if got := prompts(t, db, Filter{Newest: true, Limit: 2}); !slices.Equal(got, []string{"three", "two"}) {
		t.Errorf("List of the newest two = %q", got)
	}
	if fi, _ := os.Stat(filepath.Join(dir, File)); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode of the database = %o, want 600", fi.Mode().Perm())
	}
}

// What each of the places where a fold can be killed leaves behind.
func TestFoldAfterACrash(t *testing.T) {
	tests := []struct {
		name  string
		crash func(t *testing.T, dir string)
	}{
		{"after the rename", func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, journal.File), rotatedFile(dir, 3)); err != nil {
				t.Fatal(err)
			}
		}},
		{"after the commit, before the removal", func(t *testing.T, dir string) {
			text, err := os.ReadFile(filepath.Join(dir, journal.File))
			if err != nil {
				t.Fatal(err)
			}
			db := openDB(t, dir)
			fold(t, db)
			if err := os.WriteFile(rotatedFile(dir, 1), text, 0o600); err != nil {
				t.Fatal(err)
			}
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
			if !errors.Is(err, broken) {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(dir, journal.File), rotatedFile(dir, 1)); err != nil {
				t.Fatal(err)
			}
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
			if got := prompts(t, db, Filter{}); !slices.Equal(got, []string{"one", "two"}) {
				t.Errorf("List = %q, want both once", got)
			}
			var out bytes.Buffer
			if n, err := db.Export(t.Context(), &out); n != 3 || err != nil {
				t.Errorf("Export = %d, %v, want 3 records", n, err)
			}
			var named int
			if err := db.sql.QueryRow(`SELECT count(*) FROM named`).Scan(&named); err != nil || named != 1 {
				t.Errorf("%d names, %v, want 1", named, err)
			}
			if got := files(t, dir); !slices.Equal(got, []string{BadFile}) {
				t.Errorf("files left = %q", got)
			}
			if bad, _ := os.ReadFile(filepath.Join(dir, BadFile)); string(bad) != "not json\n" {
				t.Errorf("bad lines = %q, want the one once", bad)
			}
		})
	}
}

func appendText(t *testing.T, dir, text string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, journal.File), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func TestFoldKeepsUnreadableLines(t *testing.T) {
	dir := t.TempDir()
	appendText(t, dir, "garbage\n\n{\"v\":1}\n")
	appendText(t, dir, `{"v":1,"id":"01CUT","kind":"decision","decision":{"prompt":"no sp`)
	decided(t, dir, "whole", 0, nil) // lands on the cut line
	appendText(t, dir, "\x00\xff\n")
	db := openDB(t, dir)
	if sum := fold(t, db); sum.Added != 1 || sum.Bad != 4 {
		t.Errorf("Fold = %+v, want 1 added and 4 bad", sum)
	}
	if got := prompts(t, db, Filter{}); !slices.Equal(got, []string{"whole"}) {
		t.Errorf("List = %q, want the record behind the cut one", got)
	}
	bad, _ := os.ReadFile(filepath.Join(dir, BadFile))
	if want := "garbage\n{\"v\":1}\n{\"v\":1,\"id\":\"01CUT\",\"kind\":\"decision\",\"decision\":{\"prompt\":\"no sp\n\x00\xff\n"; string(bad) != want {
		t.Errorf("bad lines = %q, want %q", bad, want)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	var hooks sync.WaitGroup
	for i := range procs {
		hooks.Go(func() {
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), appenderDir+"="+dir, "STORE_TEST_NAME="+strconv.Itoa(i))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("appender %d: %v: %s", i, err, out)
			}
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
			if p := fmt.Sprintf("prompt %d/%d", i, k); seen[p] != 1 {
				t.Errorf("%q is in the journal %d times, want once", p, seen[p])
			}
		}
	}
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("files left = %q", got)
	}
}

func TestOneFolderAtATime(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	decided(t, dir, "one", 0, nil)
	held, err := disk.OpenLock(t.Context(), filepath.Join(dir, lockFile), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Fold(t.Context(), noon, 5*time.Millisecond); !errors.Is(err, ErrBusy) {
		t.Errorf("Fold beside another = %v, want ErrBusy", err)
	}
	held.Close()
	if sum := fold(t, db); sum.Added != 1 {
		t.Errorf("Fold afterwards = %+v, want the line", sum)
	}
}

func TestOpenRefuses(t *testing.T) {
	rewrite := func(query string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			conn, err := sql.Open("sqlite3", filepath.Join(dir, File))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := conn.Exec(query); err != nil {
				t.Fatal(err)
			}
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
			if err := os.WriteFile(filepath.Join(dir, File), bytes.Repeat([]byte("not a database. "), 500), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ErrCorrupt},
		{"truncated database", func(t *testing.T, dir string) {
			decided(t, dir, "one", 0, nil)
			db := openDB(t, dir)
			fold(t, db)
			db.Close()
			if err := os.Truncate(filepath.Join(dir, File), 5000); err != nil {
				t.Fatal(err)
			}
		}, ErrCorrupt},
		{"named pipe", func(t *testing.T, dir string) {
			if err := systemtest.Mkfifo(filepath.Join(dir, File)); err != nil {
				t.Fatal(err)
			}
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
			if !errors.Is(err, tt.want) {
				t.Fatalf("Open, Fold or List = %v, want %v", err, tt.want)
			}
			if after, _ := os.Stat(filepath.Join(dir, File)); after.Size() != before.Size() {
				t.Errorf("the file went from %d to %d bytes, want it left alone", before.Size(), after.Size())
			}
			text := ""
			for _, name := range files(t, dir) {
				b, _ := os.ReadFile(filepath.Join(dir, name))
				text += string(b)
			}
			if !strings.Contains(text, "not folded") {
				t.Errorf("the line that was not folded is gone")
			}
		})
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if _, err := Open(t.Context(), dir); !errors.Is(err, ErrDenied) {
		t.Errorf("Open in a read-only folder = %v, want ErrDenied", err)
	}
}

func TestLockedDatabaseLosesNothing(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	if _, err := db.sql.Exec("PRAGMA busy_timeout = 20"); err != nil {
		t.Fatal(err)
	}
	decided(t, dir, "one", 0, nil)
	other := openDB(t, dir)
	tx, err := other.sql.Begin() // _txlock=immediate: takes the write lock
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Fold(t.Context(), noon, 0); !errors.Is(err, ErrBusy) {
		t.Errorf("Fold into a locked database = %v, want ErrBusy", err)
	}
	if err := journal.Append(dir, journal.Record{V: 1, ID: "X", Kind: journal.KindSession}); err != nil {
		t.Errorf("Append beside a locked database = %v", err)
	}
	tx.Rollback()
	if sum := fold(t, db); sum.Added != 2 {
		t.Errorf("Fold afterwards = %+v, want both records", sum)
	}
}

func TestFolderNamesWithSpecialCharacters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c#d%41 가")
	db := openDB(t, dir)
	decided(t, dir, "one", 0, nil)
	fold(t, db)
	if _, err := os.Stat(filepath.Join(dir, File)); err != nil {
		t.Errorf("database of %q: %v", dir, err)
	}
	if got := prompts(t, db, Filter{}); len(got) != 1 {
		t.Errorf("List = %q, want one", got)
	}
}

// FuzzRead: whatever is in a line, nothing of it gets lost: it is a record, or it
// is kept, or both parts are.
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

// Programs that make the journal at one moment wait for each other.
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
