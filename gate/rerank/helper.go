package rerank

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Helper controls a user's helper process.
type Helper struct {
	Dirs     dirs.Dirs
	Settings Settings
	Getenv   func(string) string
	Now      func() time.Time
}

// Store returns the folder that holds installed models.
func Store(d dirs.Dirs) string { return filepath.Join(d.State, "rerank", "models") }

// Config returns the configuration for starting the helper.
func (h Helper) Config() Config {
	return Config{
		Place: Locate(h.Getenv, h.Dirs.Cache, os.Getuid()), Models: Store(h.Dirs),
		Model: h.Settings.Model, Library: h.Settings.Library,
	}
}

// Start starts the helper in the background. If a start with the same configuration failed in the last ten minutes, it
// returns an error at once, unless again is true. If the program is missing, it records that for the next prompt to
// report.
func (h Helper) Start(again bool) error {
	c := h.Config()
	program, err := Program()
	if err != nil {
		if c.Place.Make(os.Getuid()) == nil {
			missing := Attempt{Want: c.Want(), Reason: err.Error(), Missing: true}
			_ = c.Place.SetAttempt(missing) // if this fails, the next prompt just does not report why
		}
		return err
	}
	return Start(c, program, h.Now(), again)
}

// Stop stops the helper. The next prompt that needs it starts it again.
func (h Helper) Stop() {
	_ = h.Config().Client().Stop(2 * time.Second) // a helper that does not listen exits by itself
}

const startLimit = time.Minute

// lockLimit is the maximum time that a helper takes to acquire its lock.
const lockLimit = 3 * time.Second

// Warm starts the helper if it is not running and waits until it is ready.
func (h Helper) Warm() (Status, error) {
	c := h.Config()
	client := c.Client()
	var started time.Time
	for until := time.Now().Add(startLimit); ; time.Sleep(10 * time.Millisecond) {
		st, err := client.Status(time.Second)
		switch {
		case err == nil && st.Ready && st.Want == client.Want:
			return st, nil
		case err == nil && st.Want != client.Want:
			if err := client.Stop(5 * time.Second); err != nil {
				return st, err
			}
			continue
		case err != nil && errors.Is(err, ErrNoHelper) && started.IsZero():
			if err := h.Start(true); err != nil {
				return st, err
			}
			started = time.Now()
		case err != nil && !started.IsZero():
			a, _, ok := c.Place.LastAttempt(client.Want)
			if ok && a.Reason != Starting {
				return st, fmt.Errorf("the rerank helper does not start: %s", a.Reason)
			}
			if time.Since(started) > lockLimit && !c.Place.Held() {
				return st, errors.New("the rerank helper crashed while starting")
			}
		}
		if time.Now().After(until) {
			return st, fmt.Errorf("the rerank helper is not ready after %v", startLimit)
		}
	}
}
