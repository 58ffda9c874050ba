package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

// A host does not run a script that has lost the right to be run: a second install gives it back.
func TestInstallMakesAScriptAProgramAgain(t *testing.T) {
	p := apptest.NewInProject(t)
	args := []string{"--host", "cline", "--yes", "--binary", p.Binary}
	if code, msg := p.Status(New(p.App), args...); code != 0 {
		t.Fatalf("install = %d, %s", code, msg)
	}
	files, err := filepath.Glob(filepath.Join(p.Dir, "Documents/Cline/Hooks/*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("install made %v, %v; want one script", files, err)
	}
	if err := os.Chmod(files[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if code, msg := p.Status(New(p.App), append(args, "--json")...); code != 0 || !strings.Contains(p.Out.String(), `"updated"`) {
		t.Errorf("the second install = %d, %s, %s; want the script updated", code, msg, p.Out.String())
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the script has mode %v, %v; want -rwxr-xr-x", info.Mode(), err)
	}
	if left, _ := filepath.Glob(files[0] + "*"); len(left) != 1 {
		t.Errorf("install left %v, want no backup of the same text", left)
	}
}
