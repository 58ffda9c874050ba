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

// Config has the settings that a helper is started with.
type Config struct {
	Place   Place
	Models  string // folder of installed models
	Model   string // name or folder of the model; "" means the only installed one
	Library string // path of libonnxruntime; "" means to search for it
}

// Want identifies the settings of a helper. A helper with other settings is replaced.
func (c Config) Want() string {
	return strings.Join([]string{c.Models, c.Model, c.Library}, "\n")
}

// Args returns the command-line arguments of the helper.
func (c Config) Args() []string {
	return []string{"serve", "--dir", c.Place.Dir, "--models", c.Models, "--model", c.Model, "--library", c.Library}
}

// Client returns a client of this user's helper.
func (c Config) Client() *Client {
	return &Client{Place: c.Place, Want: c.Want(), UID: os.Getuid()}
}

const helperName = "skillgate-rerank"

// Program returns the path of the helper, which is in the folder of the called skillgate or on PATH.
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

// Attempt is a start that has not succeeded. It is written before a helper is started; a helper that gives up adds the
// reason, and a helper that is ready removes the file. So the file remains after a crash during loading.
type Attempt struct {
	Want    string `json:"want"`
	Reason  string `json:"reason"`
	Missing bool   `json:"missing,omitempty"` // there was no program to start
}

// Starting is the Reason of an Attempt until the helper has given one.
const Starting = "it was started and has not become ready"

func (p Place) attempt() string { return filepath.Join(p.Dir, "attempt") }

// SetAttempt writes a to its file.
func (p Place) SetAttempt(a Attempt) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return disk.Keep(p.attempt(), disk.Run, b, disk.Options{})
}

// ClearAttempt removes the attempt.
func (p Place) ClearAttempt() { _ = p.clear(p.attempt()) }

const maxAttempt = 16 << 10 // bytes; an attempt has three paths and a line of text

// LastAttempt returns the attempt with the settings want and its time. ok is false if there is none.
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

// retryAfter is the time after a failed start during which no other is tried, because it would fail in the same way.
const retryAfter = 10 * time.Minute

// Start starts program as a detached helper in a session of its own. Its streams are /dev/null, since the host
// would wait for the end of an inherited pipe. Start does nothing if a helper listens already. If the last start
// with the same settings failed less than ten minutes before now, it returns the reason instead, unless again is
// set or the program was missing.
func Start(c Config, program string, now time.Time, again bool) error {
	if a, at, ok := c.Place.LastAttempt(c.Want()); ok && !again && !a.Missing && now.Sub(at) < retryAfter {
		return fmt.Errorf("rerank helper does not start: %s", a.Reason)
	}
	if conn, err := c.Place.dial(); err == nil {
		return conn.Close()
	}
	if err := c.Place.Make(os.Getuid()); err != nil {
		return fmt.Errorf("start rerank helper: %w", err)
	}
	if err := c.Place.SetAttempt(Attempt{Want: c.Want(), Reason: Starting}); err != nil {
		return fmt.Errorf("start rerank helper: %w", err)
	}
	cmd := exec.Command(program, c.Args()...)
	cmd.Dir = c.Place.Dir
	if err := system.Start(&cmd.SysProcAttr, cmd.Start); err != nil {
		return fmt.Errorf("start rerank helper: %w", err)
	}
	return cmd.Process.Release()
}
