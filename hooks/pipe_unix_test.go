//go:build unix

package hooks

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A pipe in the place of Codex's settings is not waited for.
func TestCodexSettingsThatAreAPipe(t *testing.T) {
	home := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(home, "config.toml"), 0o600))
	assert.False(t, codexTrusts(home, "hooks.json"), "a pipe trusts a hook")
}
