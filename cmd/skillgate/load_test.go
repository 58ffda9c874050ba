package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/skillgate/skillgate/gate"
)

// TestManyHooksAtOnce runs hooks concurrently, with one or two registrations per prompt and the default
// deadline. Each hook logs one line, and a prompt is answered at most once. SKILLGATE_LOAD_TEST=10000 sets the
// number of hooks, which then run 64 at a time.
func TestManyHooksAtOnce(t *testing.T) {
	hooks, parallel := 32, 16
	if n, err := strconv.Atoi(os.Getenv("SKILLGATE_LOAD_TEST")); err == nil {
		hooks, parallel = n, 64
	} else if testing.Short() || raceDetector {
		t.Skip("starts many processes")
	}
	tests := []struct {
		name     string
		sessions int
		each     int // registrations per prompt
	}{
		{"many sessions", hooks, 1},
		{"one session", 1, 1},
		{"two registrations, many sessions", hooks, 2},
		{"two registrations, one session", 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newSandbox(t)
			m.index()
			m.env = append(m.env, "SKILLGATE_DEADLINE_MS=150")
			answers := make([]atomic.Int64, hooks/tt.each)
			var next atomic.Int64
			var wait sync.WaitGroup
			for range parallel {
				wait.Go(func() {
					for i := int(next.Add(1)) - 1; i < len(answers)*tt.each; i = int(next.Add(1)) - 1 {
						i := i / tt.each
						payload := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s%d","prompt_id":"p%d","prompt":"%s, number %d"}`,
							i%tt.sessions, i, securityPrompt, i)
						if m.hook(payload).stdout != "" {
							answers[i].Add(1)
						}
					}
				})
			}
			wait.Wait()
			lines, shown := map[string]int{}, map[string]int64{}
			reasons := map[gate.Reason]int{}
			for _, r := range m.logged() {
				lines[r.PromptID]++
				reasons[r.Decision.Reason]++
				if r.Decision.Verdict == gate.Inject {
					shown[r.PromptID]++
				}
			}
			for i := range answers {
				id := fmt.Sprintf("p%d", i)
				if n := answers[i].Load(); lines[id] != tt.each || n > 1 || n != shown[id] {
					t.Errorf("prompt %s has %d lines and %d answers, %d in the log; want %d and at most one", id, lines[id], n, shown[id], tt.each)
				}
			}
			t.Logf("%d hooks, %d at once: %d prompts answered; reasons %v", hooks, parallel, len(shown), reasons)
		})
	}
}
