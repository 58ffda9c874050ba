package dirs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExposed(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	for name, mode := range map[string]os.FileMode{"mine": 0o600, "open": 0o644, "wide": 0o606} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		require.NoError(t, os.Chmod(file, mode))
	}
	got, err := Exposed(dir, 5)
	if err != nil || len(got) != 2 || !strings.Contains(got[0], "open (-rw-r--r--)") {
		t.Errorf("Exposed = %q, %v; want open and wide", got, err)
	}
	if got, err := Exposed(dir, 1); err != nil || len(got) != 1 {
		t.Errorf("Exposed(1) = %q, %v; want one", got, err)
	}
	if got, err := Exposed(filepath.Join(dir, "nothing"), 5); err != nil || len(got) != 0 {
		t.Errorf("Exposed(a folder that is not there) = %q, %v; want nothing", got, err)
	}
}
