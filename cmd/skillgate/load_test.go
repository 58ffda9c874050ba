package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal"
)

// Hooks at once, each of a session of its own, with the default deadline: one line each,
// whether there was time for an answer or not. SKILLGATE_LOAD_TEST=10000 sets how many.
func TestManyHooksAtOnce(t *testing.T) {
	hooks, parallel := 64, 16
	if n, err := strconv.Atoi(os.Getenv("SKILLGATE_LOAD_TEST")); err == nil {
		hooks = n
	} else if testing.Short() || raceDetector {
		t.Skip("starts many processes")
	}
	m := newSandbox(t)
	m.index()
	m.env = append(m.env, "SKILLGATE_DEADLINE_MS=150")
	var next, answered atomic.Int64
	var wait sync.WaitGroup
	took := make([]time.Duration, hooks)
	for range parallel {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < hooks; i = int(next.Add(1)) - 1 {
				payload := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s%d","prompt":"%s, number %d"}`, i, securityPrompt, i)
				start := time.Now()
				r := m.checked(m.finish(m.command(strings.NewReader(payload), "hook")))
				took[i] = time.Since(start)
				if r.stdout != "" {
					answered.Add(1)
				}
			}
		})
	}
	wait.Wait()
	text, err := os.ReadFile(m.journal())
	if err != nil {
		t.Fatal(err)
	}
	lines, late := 0, 0
	ids := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var r journal.Record
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Decision == nil {
			t.Errorf("line %.200q: %v", line, err)
			continue
		}
		lines++
		ids[r.ID] = true
		if r.Decision.Reason == gate.Deadline {
			late++
		}
	}
	if lines != hooks || len(ids) != hooks {
		t.Errorf("%d hooks: %d lines, %d ids", hooks, lines, len(ids))
	}
	slices.Sort(took)
	t.Logf("%d hooks, %d at once: %d answers, %d lines, %d of them with reason deadline; median %v, 99 of 100 within %v, slowest %v",
		hooks, parallel, answered.Load(), lines, late, took[hooks/2].Round(time.Millisecond),
		took[hooks*99/100].Round(time.Millisecond), took[hooks-1].Round(time.Millisecond))
}
