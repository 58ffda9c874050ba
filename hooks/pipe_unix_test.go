//go:build unix

package hooks

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the place of Codex's settings is not waited for.
func TestCodexSettingsThatAreAPipe(t *testing.T) {
	home := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(home, "config.toml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if codexTrusts(home, "hooks.json") {
		t.Error("a pipe trusts a hook")
	}
}
