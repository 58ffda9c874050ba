package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func TestInstallMakesAScriptAProgramAgain(t *testing.T) {
	p := apptest.NewInProject(t)
	args := []string{"--host", "cline", "--yes", "--binary", p.Binary}
	code, msg := p.Status(New(p.App), args...)
	require.Equal(t, 0, code, msg)
	files, err := filepath.Glob(filepath.Join(p.Dir, "Documents/Cline/Hooks/*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Chmod(files[0], 0o644))
	if code, msg := p.Status(New(p.App), append(args, "--json")...); code != 0 || !strings.Contains(p.Out.String(), `"updated"`) {
		t.Errorf("the second install = %d, %s, %s; want the script updated", code, msg, p.Out.String())
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the script has mode %v, %v; want -rwxr-xr-x", info.Mode(), err)
	}
	left, _ := filepath.Glob(files[0] + "*")
	assert.Len(t, left, 1)
}
