package stats

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

func TestStatsCommand(t *testing.T) {
	j := apptest.New(t)
	if _, err := j.Run(New(j.App, nil)); err != nil || !strings.Contains(j.Err.String(), "journal is empty") {
		t.Errorf("stats of an empty journal = %v, stderr %q", err, j.Err.String())
	}
	for _, name := range []string{"pdf", "xlsx"} {
		dir := filepath.Join(j.Cwd, ".claude", "skills", name)
		text := "---\nname: " + name + "\ndescription: Works with " + name + " files.\n---\n"
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text),
			0o600)); err != nil {
			t.Fatal(err)
		}
	}
	j.Watch(t)
	j.Decide(t, 2*time.Hour, apptest.Injected("a", "pdf"), journal.Full, "p1")
	j.Decide(t, time.Hour, apptest.Silent("b"), journal.Full, "p2")
	j.Use(t, "p1", "pdf")
	out, err := j.Run(New(j.App, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2 decisions in 1 sessions, 2026-03-04 to 2026-03-04\n", "injected   1 (50.0%)\n", "followed   1 of 1 ended turns (100.0%, 95 % interval 20.7 to 100.0), 0 unknown\n",
		"missed     0\n", "latency    p50 4.0 ms, p95 6.3 ms, p99 6.3 ms\n", "1 of 2 installed skills were named or used so far (--json lists the others)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("stats =\n%s\nwant in it %q", out, want)
		}
	}
	out, err = j.Run(New(j.App, nil), "--json", "--since", "90m")
	var s store.Stats
	if err := errors.Join(err, json.Unmarshal([]byte(out), &s)); err != nil || s.Decisions != 1 ||
		s.Follow.Rate != nil || !strings.Contains(out, `"rate": null`) {
		t.Errorf("stats --json --since 90m = %s, %v, want one decision and an unknown rate", out, err)
	}
}

// A skill's own numbers are not those of the prompts that named or used it.
func TestStatsOfOneSkill(t *testing.T) {
	j := apptest.New(t)
	j.Watch(t)
	for i, used := range []string{"docx", "pdf", "docx"} {
		id := fmt.Sprint("p", i)
		j.Decide(t, time.Duration(5-i)*time.Hour, apptest.Injected("a", "pdf", "docx"), journal.Full, id)
		j.Use(t, id, used)
	}
	j.Decide(t, time.Hour, apptest.Silent("b"), journal.Full, "p9")
	out, err := j.Run(New(j.App, nil), "--skill", "pdf")
	want := "pdf\nnamed      3\nfollowed   1 of 3 ended turns (33.3%, 95 % interval 6.1 to 79.2), 0 unknown\nmissed     0\ntyped      0\n"
	if err != nil || !strings.HasPrefix(out, want) || !strings.Contains(out, "\nfollowed   3 of 3 ended turns") {
		t.Errorf("stats --skill pdf =\n%s%v\nwant at its head\n%s", out, err, want)
	}
}
