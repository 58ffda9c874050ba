//go:build unix

package hooks

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCodexSettingsThatAreAPipe(t *testing.T) {
	home := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(home, "config.toml"), 0o600))
	assert.False(t, codexTrusts(home, "hooks.json"), "a pipe trusts a hook")
}
