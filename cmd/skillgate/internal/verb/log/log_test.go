package log

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/wording"
)

func show(j *apptest.Home, args ...string) (string, error) { return j.Run(New(j.App), args...) }

func TestLogShowsDecisions(t *testing.T) {
	j := apptest.New(t)
	j.Decide(t, 3*time.Hour, apptest.Silent("rename this\tvariable \x1b[31mplease"), journal.Full, "p0")
	j.Decide(t, 2*time.Hour, apptest.Injected("이 풀 리퀘스트 리뷰해줘", "pr-review", "security", "style"), journal.Full, "p1")
	j.Decide(t, time.Hour, gate.Decision{Prompt: "hello", Lang: "en", Verdict: gate.Skip, Reason: gate.Greeting}, journal.Hash, "p2")
	j.Use(t, "p1", "security")
	j.Use(t, "p0", "refactor")
	got, err := show(j)
	require.NoError(t, err)
	want := `time            verdict                lang  prompt                           skills                  need  score   ms  followed
03-04 12:00:00  silent/below_need_min  en    rename this variable [31mplease  (pdf)                   0.10    2.5  4.0  missed refactor
03-04 13:00:00  inject                 ko    이 풀 리퀘스트 리뷰해줘          pr-review, security +1  0.93   14.2  6.3  yes
03-04 14:00:00  skip/greeting          en    [hash] 2cf24dba5fb0                                                   0.0

of 3 prompts, 0 are shown as terms and 1 are not shown, because of the setting log.prompts
`
	assert.Equal(t, squeeze(want), squeeze(got), "log =\n%s\nwant\n%s", got, want)
	assert.False(t, strings.ContainsRune(got, '\x1b'), "log prints an escape sequence where there is no terminal: %q", got)
}

func TestLogShowsWhatWasTyped(t *testing.T) {
	const paste = "<pasted_content id=\"7f\">\nTraceback of a run\n</pasted_content id=\"7f\">"
	j := apptest.New(t)
	j.Decide(t, 3*time.Hour, apptest.Silent("\n\n"+paste+"\n\n why does this fail"), journal.Full, "p0")
	j.Decide(t, 2*time.Hour, apptest.Silent(paste), journal.Full, "p1")
	j.Decide(t, time.Hour, gate.Decision{Prompt: "/pdf the invoice", Lang: "en", Verdict: gate.Skip, Reason: gate.Command}, journal.Full, "p2")
	j.UseBy(t, journal.ToolTyped, "p2", "pdf")
	got, err := show(j)
	require.NoError(t, err)
	want := `time            verdict                lang  prompt                                    skills  need  score  ms   followed
03-04 12:00:00  silent/below_need_min  en    why does this fail  (pdf)   0.10    2.5  4.0
03-04 13:00:00  silent/below_need_min  en    Traceback of a run  (pdf)   0.10    2.5  4.0
03-04 14:00:00  skip/command           en    /pdf the invoice                                               0.0  typed pdf
`
	assert.Equal(t, squeeze(want), squeeze(got), "log =\n%s\nwant\n%s", got, want)
}

func squeeze(s string) string {
	return strings.TrimSpace(regexp.MustCompile(`(?m) +$`).ReplaceAllString(regexp.MustCompile(` {2,}`).ReplaceAllString(s, "  "), ""))
}

func TestLogFiltersAndJSON(t *testing.T) {
	j := apptest.New(t)
	j.Decide(t, 49*time.Hour, apptest.Silent("old"), journal.Full, "p0")
	j.Decide(t, time.Hour, apptest.Injected("new", "pdf"), journal.Full, "p1")
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"all, oldest first", nil, []string{"old", "new"}},
		{"the newest one", []string{"--last", "1"}, []string{"new"}},
		{"all with --last 0", []string{"--last", "0"}, []string{"old", "new"}},
		{"hours", []string{"--since", "2h"}, []string{"new"}},
		{"days", []string{"--since", "3d"}, []string{"old", "new"}},
		{"until a date", []string{"--until", "2026-03-03"}, []string{"old"}},
		{"verdict", []string{"--verdict", "inject"}, []string{"new"}},
		{"reason", []string{"--reason", "below_need_min"}, []string{"old"}},
		{"skill", []string{"--skill", "pdf"}, []string{"new"}},
		{"language", []string{"--lang", "en"}, []string{"old"}},
		{"session", []string{"--session", "s1"}, []string{"old", "new"}},
		{"project, relative to the folder", []string{"--project", "."}, []string{"old", "new"}},
		{"no such session", []string{"--session", "zz"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := show(j, append([]string{"--json"}, tt.args...)...)
			require.NoError(t, err)
			var got []string
			for line := range strings.Lines(out) {
				var e store.Entry
				require.NoError(t, json.Unmarshal([]byte(line), &e))
				got = append(got, e.Decision.Prompt)
			}
			if strings.Join(got, " ") != strings.Join(tt.want, " ") {
				t.Errorf("log --json %q = %q, want %q", tt.args, got, tt.want)
			}
		})
	}
	if out, _ := show(j, "--json", "--last", "1"); !strings.Contains(out, `"followed":"unknown"`) || !strings.Contains(out, `"outcomes":[]`) {
		t.Errorf("log --json = %s, want followed and outcomes", out)
	}
}

func TestLogOfOneDecision(t *testing.T) {
	j := apptest.New(t)
	r := j.Decide(t, time.Hour, apptest.Injected("리뷰해줘 <pasted_content id=\"1\">\nTraceback\n</pasted_content id=\"1\">", "pr-review"),
		journal.Full, "p1")
	out, err := show(j, "last")
	if err != nil || strings.Contains(out, "Traceback") || !strings.Contains(out, r.ID) || !strings.Contains(out, "리뷰해줘") || !strings.Contains(out, "pr-review") {
		t.Errorf("log %s = %q, %v", r.ID, out, err)
	}
	var exit *app.Error
	if _, err := show(j, "0000"); !errors.As(err, &exit) || exit.Code != 3 || exit.Hint == "" {
		t.Errorf("log of an unknown id = %v, want status 3 and a hint", err)
	}
}

func TestLogWrongUsage(t *testing.T) {
	j := apptest.New(t)
	for _, args := range [][]string{{"--since", "yesterday"}, {"--since", "-2h"}, {"--verdict", "maybe"},
		{"--lang", "fr"}, {"--followed", "so"}, {"--last", "-1"}, {"prune"}, {"prune", "--older", "x"},
		{"prune", "--prompts", "terms"}} {
		var exit *app.Error
		if _, err := show(j, args...); !errors.As(err, &exit) || exit.Code != 3 {
			t.Errorf("log %q = %v, want status 3", args, err)
		}
	}
}

func TestDamagedLogHasANextStep(t *testing.T) {
	query := func(query string) func(string) error {
		return func(state string) error {
			db, err := sql.Open("sqlite3", filepath.Join(state, store.File))
			if err != nil {
				return err
			}
			_, err = db.Exec(query)
			return errors.Join(err, db.Close())
		}
	}
	for name, spoil := range map[string]func(state string) error{
		"a folder in its place": func(state string) error {
			file := filepath.Join(state, store.File)
			return errors.Join(os.Remove(file), os.Mkdir(file, 0o700))
		},
		"a link to itself": func(state string) error {
			file := filepath.Join(state, store.File)
			return errors.Join(os.Remove(file), os.Symlink(store.File, file))
		},
		"a folder where bad lines go": func(state string) error {
			return errors.Join(os.Mkdir(filepath.Join(state, store.BadFile), 0o700),
				os.WriteFile(filepath.Join(state, journal.File), []byte("noise\n"), 0o600))
		},
		"garbage in its place": func(state string) error {
			return os.WriteFile(filepath.Join(state, store.File), bytes.Repeat([]byte("garbage "), 1000), 0o600)
		},
		"a table is gone":   query("DROP TABLE decision"),
		"a line is cut off": query("UPDATE decision SET line = substr(line, 1, 50)"),
	} {
		t.Run(name, func(t *testing.T) {
			j := apptest.New(t)
			j.Decide(t, time.Hour, apptest.Silent("b"), journal.Full, "p1")
			_, err := show(j)
			require.NoError(t, err)
			require.NoError(t, spoil(j.State))
			for _, args := range [][]string{{}, {"--json"}, {"last"}, {"prune", "--prompts", "none", "--yes"}} {
				var exit *app.Error
				out, err := show(j, args...)
				if !errors.As(err, &exit) || exit.Code != app.StatusFailed || !strings.HasPrefix(exit.Hint, "move ") {
					t.Errorf("log %q = %q, %v, want a hint what to move", args, out, err)
				}
			}
		})
	}
}

func TestLogPruneExportRedact(t *testing.T) {
	j := apptest.New(t)
	j.Decide(t, 100*24*time.Hour, apptest.Silent("ancient"), journal.Full, "")
	j.Decide(t, time.Hour, apptest.Silent("recent"), journal.Full, "")

	var exit *app.Error
	if _, err := show(j, "prune", "--older", "90d"); !errors.As(err, &exit) || exit.Hint != "add --yes" {
		t.Errorf("log prune without a terminal = %v, want to be told --yes", err)
	}
	out, _ := show(j, "export")
	assert.Equal(t, 2, strings.Count(out, "\n"))
	if out, err := show(j, "prune", "--older", "90d", "--yes"); err != nil ||
		!strings.HasPrefix(out, "removed 1 decision older than ") {
		t.Errorf("log prune = %q, %v", out, err)
	}
	if out, err := show(j, "prune", "--older", "90d"); err != nil || !strings.HasPrefix(out, "nothing to remove") {
		t.Errorf("log prune again = %q, %v", out, err)
	}
	_, err := show(j, "export", "--output", "copy.jsonl")
	require.NoError(t, err)
	copied := filepath.Join(j.Cwd, "copy.jsonl")
	text, _ := os.ReadFile(copied)
	if fi, err := os.Stat(copied); err != nil || fi.Mode().Perm() != 0o600 || !strings.Contains(string(text), "recent") ||
		strings.Contains(string(text), "ancient") {
		t.Errorf("log export --output wrote %q, %v", text, err)
	}
	_, err = show(j, "export", "--output", "copy.jsonl")
	assert.Error(t, err, "log export over an existing file = nil, want an error")
	_, err = show(j, "prune", "--prompts", "none")
	assert.Error(t, err, "log prune --prompts none without --yes = nil, want an error")
	if out, err := show(j, "prune", "--prompts", "none", "--yes"); err != nil || out != "1 record changed\n" {
		t.Errorf("log prune = %q, %v", out, err)
	}
	out, _ = show(j, "export")
	assert.NotContains(t, out, "recent")
}

func TestLogFitsTheTerminal(t *testing.T) {
	for _, columns := range []int{60, 80, 120} {
		j := apptest.New(t)
		j.Decide(t, time.Hour, apptest.Injected("지난주 회의 녹취록을 회의록으로 정리하고 담당자에게 보낼 메일까지 써줘",
			"meeting-minutes-with-decisions", "분기별-매출-실적-보고서-자동-작성-도우미"), journal.Full, "p")
		lines := apptest.OnTerminal(t, j.App, columns, func() error { return New(j.App).Execute() })
		assert.Equal(t, columns == 120, strings.Contains(lines[0], "need"), "%d columns: %q", columns, lines)
		for _, line := range lines {
			assert.LessOrEqual(t, wording.Width(line), columns, line)
		}
	}
}

func TestFollowWhileOthersFold(t *testing.T) {
	j := apptest.New(t)
	j.Decide(t, time.Hour, apptest.Injected("before", "old"), journal.Full, "p0")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	seen := make(chan string)
	j.Stdout = write(func(p []byte) { seen <- string(p) })
	cmd := New(j.App)
	cmd.SetArgs([]string{"--follow", "--last", "0", "--json", "--verdict", "inject"})
	cmd.SetContext(ctx)
	other, err := store.Open(ctx, j.State)
	require.NoError(t, err)
	defer other.Close()
	ended := make(chan error)
	go func() { ended <- cmd.Execute() }()
	for i := 0; ; i++ { // until the watch has started
		j.Decide(t, time.Minute, apptest.Injected("first", "pdf"), journal.Full, fmt.Sprint("a", i))
		select {
		case line := <-seen:
			require.Contains(t, line, `"first"`)
		case <-time.After(400 * time.Millisecond):
			continue
		}
		break
	}
	j.Decide(t, 0, apptest.Injected("second", "docx"), journal.Full, "b")
	_, err = other.Fold(ctx, j.Now(), time.Second)
	require.NoError(t, err)
	require.NoError(t, other.Prune(ctx, j.Now().Add(-30*time.Minute)))
	for line := range seen {
		if strings.Contains(line, `"second"`) {
			break
		}
		require.Contains(t, line, `"first"`)
	}
	stop()
	go func() {
		for range seen {
		}
	}()
	assert.NoError(t, <-ended)
}

type write func([]byte)

func (w write) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}
