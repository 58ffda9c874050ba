package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// TestLargeLog folds a log of many MB and runs each command on it. No decision may be lost. With LOG_MB above 1,
// it also checks that no command needs memory for the whole log, and logs processor time and memory: LOG_MB=1000
// go test -v -run TestLargeLog -timeout 2h ./cmd/skillgate
func TestLargeLog(t *testing.T) {
	t.Parallel()
	megabytes := 1
	if text := os.Getenv("LOG_MB"); text != "" {
		var err error
		megabytes, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	p, _, _ := worked(t, "", 7)
	var records []journal.Record
	for line := range strings.Lines(p.must("log", "export")) {
		var r journal.Record
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		records = append(records, r)
	}
	file, err := os.Create(filepath.Join(p.home, ".local", "state", "skillgate", journal.File))
	require.NoError(t, err)
	w := bufio.NewWriter(file)
	size, decisions := 0, strings.Count(p.must("log", "--json", "--last", "0"), "\n")-1 // without the decision of the MCP client
	// Copies of the same weeks, each an hour earlier.
	for n := 1; size < megabytes<<20; n++ {
		back := time.Duration(n) * time.Hour % (180 * 24 * time.Hour)
		ids := map[string]string{}
		for _, r := range records {
			if r.Source == journal.SourceMCP {
				continue
			}
			r.Time = r.Time.Add(-back)
			id := journal.NewID(r.Time)
			ids[r.ID] = id
			again := func(id string) string {
				if id == "" {
					return ""
				}
				return fmt.Sprint(id, "-", n)
			}
			r.ID, r.Of, r.Session, r.PromptID = id, ids[r.Of], again(r.Session), again(r.PromptID)
			if r.Outcome != nil {
				use := *r.Outcome
				use.Call = again(use.Call)
				r.Outcome = &use
			}
			text, err := json.Marshal(r)
			require.NoError(t, err)
			if r.Kind == journal.KindDecision {
				decisions++
			}
			size += len(text) + 1
			fmt.Fprintf(w, "%s\n", text)
		}
	}
	require.NoError(t, errors.Join(w.Flush(), file.Close()))
	t.Logf("%d MB, %d decisions", size>>20, decisions)

	self, err := os.Executable()
	require.NoError(t, err)
	run := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(self)
		cmd.Args, cmd.Dir = append([]string{"skillgate"}, args...), p.cwd
		for k, v := range p.vars {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
		var out bytes.Buffer
		cmd.Stdout = &out
		require.NoError(t, cmd.Start())
		ended := make(chan error)
		go func() { ended <- cmd.Wait() }()
		memory, running := 0, true
		for running {
			select {
			case err = <-ended:
				running = false
			case <-time.After(5 * time.Millisecond):
				memory = max(memory, peakMB(cmd.Process.Pid))
			}
		}
		s := cmd.ProcessState
		require.Equal(t, 0, s.ExitCode(), "%q = %v", args, err)
		t.Logf("%-26s %6.1f s of the processor, %4d MB", strings.Join(args, " "),
			(s.UserTime() + s.SystemTime()).Seconds(), memory)
		if megabytes > 1 && memory > 350 && !raceDetector { // a log of 1 MB fits in memory
			t.Errorf("%q needs %d MB", args, memory)
		}
		return out.Bytes()
	}
	var s store.Stats
	for _, command := range [][]string{{"log", "--last", "1"}, {"stats", "--json"}, {"stats", "oncall-runbook"},
		{"advise"}, {"experiment"}, {"report", "--quick"}, {"report"}} {
		out := run(command...)
		if command[0] != "stats" || command[1] != "--json" {
			continue
		}
		require.NoError(t, json.Unmarshal(out, &s))
		assert.Equal(t, decisions, s.Decisions)
	}
}

func peakMB(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, text, _ = bytes.Cut(text, []byte("VmHWM:"))
	var kb int
	fmt.Sscan(string(text), &kb)
	return kb >> 10
}
