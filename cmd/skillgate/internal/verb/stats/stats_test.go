package stats

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/need"
)

func TestStatsCommand(t *testing.T) {
	j := apptest.New(t)
	if _, err := j.Run(New(j.App)); err != nil || !strings.Contains(j.Err.String(), "log is empty") {
		t.Errorf("stats of an empty journal = %v, stderr %q", err, j.Err.String())
	}
	for _, name := range []string{"pdf", "xlsx"} {
		dir := filepath.Join(j.Cwd, ".claude", "skills", name)
		text := "---\nname: " + name + "\ndescription: Works with " + name + " files.\n---\n"
		err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text),
			0o600))
		require.NoError(t, err)
	}
	j.Watch(t)
	j.Decide(t, 2*time.Hour, apptest.Injected("a", "pdf"), journal.Full, "p1")
	j.Decide(t, time.Hour, apptest.Silent("b"), journal.Full, "p2")
	j.Use(t, "p1", "pdf")
	out, err := j.Run(New(j.App))
	require.NoError(t, err)
	for _, want := range []string{
		"2 decisions in 1 session, 2026-03-04 to 2026-03-04\n", "injected   1 (50.0%)\n",
		"followed   1 of 1 finished turns (100.0%, 95 % interval 20.7 to 100.0), 0 unknown\n",
		"missed     0\n", "latency    p50 4.0 ms, p95 6.3 ms, p99 6.3 ms\n", "1 of 2 installed skills have been suggested or used so far (--json lists the others)\n",
	} {
		assert.Contains(t, out, want)
	}
	d, err := j.Places()
	require.NoError(t, err)
	_, err = os.Lstat(d.Cache)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	out, err = j.Run(New(j.App), "--json", "--since", "90m")
	var s store.Stats
	if err := errors.Join(err, json.Unmarshal([]byte(out), &s)); err != nil || s.Decisions != 1 ||
		s.Follow.Rate != nil || !strings.Contains(out, `"rate": null`) {
		t.Errorf("stats --json --since 90m = %s, %v, want one decision and an unknown rate", out, err)
	}
	if out, err = j.Run(New(j.App), "--json", "--since", "1m"); err != nil || strings.Contains(out, "0001") {
		t.Errorf("stats --json --since 1m = %s, %v, want no dates where there is no decision", out, err)
	}
}

func TestStatsOfNothing(t *testing.T) {
	j := apptest.New(t)
	j.Decide(t, time.Hour, gate.Decision{Verdict: gate.Error, Reason: gate.Deadline}, journal.None, "p1")
	j.Decide(t, time.Hour, apptest.Silent("b"), journal.Full, "p2")
	for args, want := range map[string]bool{"--since 30m": false, "--since 2h": true} {
		out, err := j.Run(New(j.App), append(strings.Fields(args), "--json")...)
		var all map[string]json.RawMessage
		require.NoError(t, errors.Join(err, json.Unmarshal([]byte(out), &all)))
		if (all["first"] != nil) != want || (all["last"] != nil) != want || strings.Contains(out, "0001-01-01") {
			t.Errorf("stats %s is of %s to %s, want times: %v", args, all["first"], all["last"], want)
		}
		assert.NotContains(t, out, `"name": ""`, args)
	}
}

func TestEveryKeyIsExplained(t *testing.T) {
	j := apptest.New(t)
	j.Watch(t)
	j.Decide(t, time.Hour, apptest.Injected("a", "pdf"), journal.Full, "p1")
	learn(t, j, 0.4)
	out, err := j.Run(New(j.App), "--json")
	var all map[string]json.RawMessage
	require.NoError(t, errors.Join(err, json.Unmarshal([]byte(out), &all)))
	help := New(j.App).Long
	for key := range all {
		if !regexp.MustCompile(`\b` + key + `\b`).MatchString(help[strings.Index(help, "--json prints"):]) {
			t.Errorf("--help does not say what %s is", key)
		}
	}
	assert.GreaterOrEqual(t, len(all), 20)
}

func learn(t *testing.T, j *apptest.Home, needMin float64) {
	t.Helper()
	c := bar.Change{At: j.Now(), Model: need.Default().ID(), NeedMin: needMin, From: gate.Default().NeedMin, By: bar.Command}
	require.NoError(t, bar.Add(j.State, c))
}

func TestStatsSaysWhatWasLearned(t *testing.T) {
	learned := math.Round(1000*(gate.Default().NeedMin-0.05)) / 1000
	value := strconv.FormatFloat(learned, 'g', -1, 64)
	for name, tt := range map[string]struct {
		config string
		want   bool
	}{
		"no file says it":             {"", true},
		"the file says the same":      {"need_min: " + value + "\n", false},
		"the file says another":       {"need_min: 0.7\n", false},
		"learning is off in the file": {"calibrate: false\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			j := apptest.New(t)
			j.Decide(t, time.Hour, apptest.Injected("a", "pdf"), journal.Full, "p1")
			learn(t, j, learned)
			d, err := j.Places()
			err = errors.Join(err, os.MkdirAll(d.Config, 0o700),
				os.WriteFile(filepath.Join(d.Config, "skillgate.yaml"), []byte(tt.config), 0o600))
			require.NoError(t, err)
			out, err := j.Run(New(j.App))
			said := strings.Contains(out, " on "+j.Now().Format(time.DateOnly)) && strings.Contains(out, "learned from")
			require.NoError(t, err, out)
			assert.Equal(t, tt.want, said, out)
		})
	}
}

func TestStatsOfAReset(t *testing.T) {
	j := apptest.New(t)
	j.Decide(t, time.Hour, apptest.Injected("a", "pdf"), journal.Full, "p1")
	learn(t, j, 0.5)
	back := bar.Change{At: j.Now(), Model: need.Default().ID(), NeedMin: gate.Default().NeedMin, From: 0.5, By: bar.Reset}
	require.NoError(t, bar.Add(j.State, back))
	out, err := j.Run(New(j.App))
	if err != nil || !strings.Contains(out, "(by reset)\n") || strings.Contains(out, "learned from") {
		t.Errorf("stats prints %s, %v, want the reset and nothing of learning", out, err)
	}
}
