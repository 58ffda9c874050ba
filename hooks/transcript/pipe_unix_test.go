//go:build unix

package transcript

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPipeIsNoTranscript(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	f := found{path: pipe}
	assert.Error(t, f.scan(func(string) bool { return false }), "a pipe was scanned")
}
