//go:build unix

package transcript

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in a transcript's place is not waited for.
func TestAPipeIsNoTranscript(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "s.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f := found{path: pipe}
	if f.scan(func(string) bool { return false }) == nil {
		t.Error("a pipe was scanned")
	}
}
