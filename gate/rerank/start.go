package rerank

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Config configures a helper at its start.
type Config struct {
	Place   Place
	Models  string // folder of installed models
	Model   string // name or folder of the model; "" for the only installed one
	Library string // path of libonnxruntime; "" to search for it
}

// Want identifies the configuration. A running helper with another configuration is replaced.
func (c Config) Want() string {
	return strings.Join([]string{c.Models, c.Model, c.Library}, "\n")
}

// Args returns the helper's command-line arguments.
func (c Config) Args() []string {
	return []string{"serve", "--dir", c.Place.Dir, "--models", c.Models, "--model", c.Model, "--library", c.Library}
}

// Client returns a client for this user's helper.
func (c Config) Client() *Client {
	return &Client{Place: c.Place, Want: c.Want(), UID: os.Getuid()}
}

const helperName = "skillgate-rerank"

// Program returns the path of the helper program, which is in the folder of the running skillgate or on PATH.
func Program() (string, error) {
	skillgate, err := system.CalledProgram()
	if err != nil {
		return "", err
	}
	if beside := system.Executable(filepath.Join(filepath.Dir(skillgate), helperName)); beside != "" {
		return beside, nil
	}
	found, err := exec.LookPath(helperName)
	if err != nil {
		return "", fmt.Errorf("%s is neither in the folder of %s nor on PATH", helperName, skillgate)
	}
	return found, nil
}

// Attempt describes a start that has not succeeded yet. It is stored in a file before the helper starts. A helper that
// fails adds the reason, and a helper that is ready removes the file. After a crash during loading, the file remains.
type Attempt struct {
	Want    string `json:"want"`
	Reason  string `json:"reason"`
	Missing bool   `json:"missing,omitempty"` // the helper program was not found
}

// Starting is the Reason of an Attempt until the helper has set one.
const Starting = "it did not become ready"

func (p Place) attempt() string { return filepath.Join(p.Dir, "attempt") }

// SetAttempt stores a.
func (p Place) SetAttempt(a Attempt) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return disk.Keep(p.attempt(), disk.Run, b, disk.Options{})
}

// ClearAttempt removes the stored attempt.
func (p Place) ClearAttempt() { _ = p.clear(p.attempt()) }

const maxAttempt = 16 << 10 // bytes; an attempt has three paths and a reason

// LastAttempt returns the stored attempt and its time. ok is false if no attempt with the configuration want is stored.
func (p Place) LastAttempt(want string) (a Attempt, at time.Time, ok bool) {
	fi, err := os.Stat(p.attempt())
	if err != nil {
		return a, at, false
	}
	b, err := regular.Read(p.attempt(), maxAttempt)
	if err != nil || json.Unmarshal(b, &a) != nil || a.Want != want {
		return a, at, false
	}
	return a, fi.ModTime(), true
}

// retryAfter is the time to wait after a failed start, because another start would fail in the same way.
const retryAfter = 10 * time.Minute

// Start starts program as a detached helper in its own session. Its streams are /dev/null, because the host waits until
// inherited pipes are closed. Start does nothing if a helper is already listening. If a start with the same
// configuration failed less than retryAfter ago, Start returns the reason, unless again is true or the program was
// missing then.
func Start(c Config, program string, now time.Time, again bool) error {
	if a, at, ok := c.Place.LastAttempt(c.Want()); ok && !again && !a.Missing && now.Sub(at) < retryAfter {
		return fmt.Errorf("the rerank helper does not start: %s", a.Reason)
	}
	if conn, err := c.Place.dial(); err == nil {
		return conn.Close()
	}
	if err := c.Place.Make(os.Getuid()); err != nil {
		return fmt.Errorf("start the rerank helper: %w", err)
	}
	if err := c.Place.SetAttempt(Attempt{Want: c.Want(), Reason: Starting}); err != nil {
		return fmt.Errorf("start the rerank helper: %w", err)
	}
	cmd := exec.Command(program, c.Args()...)
	cmd.Dir = c.Place.Dir
	if err := system.Start(&cmd.SysProcAttr, cmd.Start); err != nil {
		return fmt.Errorf("start the rerank helper: %w", err)
	}
	return cmd.Process.Release()
}
