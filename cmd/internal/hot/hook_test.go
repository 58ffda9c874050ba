//go:build unix

package hot

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/journal"
)

// A panic while a decision is logged is logged too. Here a name is in a mapped index that was truncated.
func TestPanicWhileLogging(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "index"))
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, file.Truncate(int64(os.Getpagesize())))
	page, err := unix.Mmap(int(file.Fd()), 0, os.Getpagesize(), unix.PROT_READ, unix.MAP_SHARED)
	require.NoError(t, err)
	defer unix.Munmap(page)
	require.NoError(t, file.Truncate(0))
	h := &hook{Process: &Process{Now: time.Now}, dirs: dirs.Dirs{State: t.TempDir()}, settings: gate.Preset(nil)}
	func() {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer h.recover()
		h.log(gate.Decision{Candidates: []gate.Candidate{{Name: unsafe.String(&page[0], 8)}}}, nil, "")
	}()
	text, err := os.ReadFile(filepath.Join(h.dirs.State, journal.File))
	if err != nil || strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), "panic: ") {
		t.Errorf("the journal is %q, %v; want one line about the panic", text, err)
	}
}

// If the model has lost its context, the session's memory is cleared before Begin returns.
func TestBegin(t *testing.T) {
	tests := []struct {
		name, payload  string
		known, written bool
	}{
		{"compacted", `{"hook_event_name":"SessionStart","source":"compact","session_id":"s"}`, false, true},
		{"cleared", `{"hook_event_name":"SessionStart","source":"clear","session_id":"s"}`, false, true},
		{"resumed", `{"hook_event_name":"SessionStart","source":"resume","session_id":"s"}`, true, true},
		{"another event", `{"hook_event_name":"Stop","session_id":"s"}`, true, false},
		{"no JSON", "hello", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home, out := t.TempDir(), strings.Builder{}
			state := filepath.Join(home, ".local", "state", "skillgate")
			require.NoError(t, journal.UpdateSession(state, "s", func(s *journal.Session) { s.Describe("pdf") }))
			p := &Process{Stdin: strings.NewReader(tt.payload), Stdout: &out, Now: time.Now, Cwd: home, Getenv: func(name string) string {
				return map[string]string{"HOME": home}[name]
			}}
			require.Equal(t, 0, Begin(p))
			assert.LessOrEqual(t, out.Len(), 0)
			s, err := journal.LoadSession(state, "s")
			require.Equal(t, tt.known, s.Knows("pdf"))
			assert.NoError(t, err)
			_, err = os.Stat(filepath.Join(state, journal.File))
			assert.Equal(t, tt.written, err == nil)
		})
	}
}
