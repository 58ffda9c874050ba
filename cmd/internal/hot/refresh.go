package hot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// retryAfter is the pause before another background refresh for the same state of the folders, since a failed build
// would fail again.
const retryAfter = 10 * time.Minute

func refreshIfStale(now time.Time, g *gate.Gate, d dirs.Dirs, cwd string, flags ...string) error {
	state := g.StaleState()
	if state == "" {
		return nil
	}
	return startOnce(now, d, cwd, state, flags...)
}

// rebuildDamaged starts a full build in the background. A refresh would consider the damaged index up to date,
// because it can be opened.
func rebuildDamaged(now time.Time, d dirs.Dirs, cwd string, flags ...string) error {
	return startOnce(now, d, cwd, "damaged, seen in "+cwd+"\n", append(flags, "--full")...)
}

// Below returns flags for Refresh that name the subfolders of a session.
func Below(paths ...string) []string {
	var flags []string
	for _, path := range paths {
		flags = append(flags, "--below", path)
	}
	return flags
}

func startOnce(now time.Time, d dirs.Dirs, cwd, state string, flags ...string) error {
	file := filepath.Join(d.Cache, "attempt")
	text, err := regular.Head(file, int64(len(state))+1)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fi, err := os.Stat(file)
	if err == nil && string(text) == state && now.Sub(fi.ModTime()) < retryAfter {
		return nil
	}
	if err := disk.Keep(file, disk.Cache, []byte(state), disk.Options{}); err != nil {
		return err
	}
	return Refresh(cwd, flags...)
}

// Refresh starts `skillgate index --background` with flags in cwd, as a detached process with its streams on /dev/null,
// since an inherited pipe would keep the host waiting.
func Refresh(cwd string, flags ...string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the running program: %w", err)
	}
	if strings.HasSuffix(self, ".test") {
		return nil // in a test, the executable is not skillgate
	}
	cmd := exec.Command(self, append([]string{"index", "--background"}, flags...)...)
	if fi, err := os.Stat(cwd); err == nil && fi.IsDir() {
		cmd.Dir = cwd
	}
	if err := system.Start(&cmd.SysProcAttr, cmd.Start); err != nil {
		return fmt.Errorf("start background refresh: %w", err)
	}
	return cmd.Process.Release()
}
