package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/hot"
)

// The settings and the plugin both register the hook, and the host asks them at the same moment:
// the prompt gets one hint, and the log says which registration was late.
func TestTwoRegistrationsAtOnce(t *testing.T) {
	p := newPast(t)
	const rounds = 15
	for i := range rounds {
		in := fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s%d","prompt_id":"p1","cwd":%q,"prompt":"Draft an NDA for a supplier"}`, i, p.cwd)
		var out [2]bytes.Buffer
		var both sync.WaitGroup
		for j := range out {
			h := p.process(in)
			h.Stdout, h.Program = &out[j], fmt.Sprintf("/%d/skillgate", j)
			both.Go(func() { hot.Hook(h) })
		}
		both.Wait()
		a, b := out[0].String(), out[1].String()
		if strings.Contains(a, "nda-drafter") == strings.Contains(b, "nda-drafter") || a != "" && b != "" {
			t.Errorf("round %d: the two registrations answer %q and %q, want one hint", i, a, b)
		}
	}
	if log := p.must("log", "--json", "--last", "100"); strings.Count(log, `"reason":"repeat"`) != rounds {
		t.Errorf("the log has %d repetitions, want %d", strings.Count(log, `"reason":"repeat"`), rounds)
	}
}
