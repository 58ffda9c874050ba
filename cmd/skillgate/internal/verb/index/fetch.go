package index

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// fetch starts `skillgate-org library refresh` in a session of its own where the settings name
// libraries that are not on this machine, at most once in fetched.Every. What it finds shows at
// the next prompts.
func fetch(d dirs.Dirs, s gate.Settings, now time.Time) error {
	if s.Disabled || len(fetched.Of(s.Libraries)) == 0 {
		return nil
	}
	program, err := orgProgram()
	if err != nil {
		return err
	}
	// Other references are another attempt: a new one is not left waiting.
	attempt := filepath.Join(fetched.All(d.Cache), "attempt")
	state := strings.Join(fetched.Of(s.Libraries), "\n")
	text, _ := regular.Read(attempt, 1<<20)
	if info, err := os.Stat(attempt); err == nil && string(text) == state && !fetched.Due(info.ModTime(), now) {
		return nil
	}
	if err := disk.Keep(attempt, disk.Fetched, []byte(state), disk.Options{}); err != nil {
		return err
	}
	cmd := exec.Command(program, "library", "refresh", "--background")
	cmd.SysProcAttr = system.Detached()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	return cmd.Process.Release()
}

func orgProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	beside := filepath.Join(filepath.Dir(self), "skillgate-org")
	if _, err := os.Stat(beside); err == nil {
		return beside, nil
	}
	found, err := exec.LookPath("skillgate-org")
	if err != nil {
		return "", errors.New("libraries that are not on this machine stay as they are: skillgate-org is not installed")
	}
	return found, nil
}
