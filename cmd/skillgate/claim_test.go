package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/journal"
)

func TestBusySessionsKeepNoAnswer(t *testing.T) {
	p := newPast(t)
	state := filepath.Join(p.home, ".local", "state", "skillgate")
	lock, err := disk.LockFolder(t.Context(), filepath.Join(state, "sessions"), disk.Sessions, time.Minute)
	require.NoError(t, err)
	defer lock.Close()
	remembered := func() int {
		s, err := journal.LoadSession(state, "s")
		assert.NoError(t, err)
		return len(s.Answers)
	}
	out := &reply{before: func() {
		assert.LessOrEqual(t, remembered(), 0)
		text, err := os.ReadFile(filepath.Join(state, journal.File))
		require.NoError(t, err)
		assert.Contains(t, string(text), `"verdict":"inject"`)
	}}
	h := p.process(fmt.Sprintf(`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt_id":"p1","cwd":%q,"prompt":"Draft an NDA for a supplier"}`, p.cwd))
	h.Stdout = out
	hot.Hook(h)
	require.Contains(t, out.String(), "nda-drafter")
	assert.Equal(t, 1, remembered())
}

type reply struct {
	bytes.Buffer
	before func()
}

func (r *reply) Write(text []byte) (int, error) {
	if r.Len() == 0 {
		r.before()
	}
	return r.Buffer.Write(text)
}
