package rerank

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Helper is the helper of one user with these settings, which need not run.
type Helper struct {
	Dirs     dirs.Dirs
	Settings Settings
	Getenv   func(string) string
	Now      func() time.Time
}

// Store is where installed models lie.
func Store(d dirs.Dirs) string { return filepath.Join(d.State, "rerank", "models") }

// Config is what the helper is started with.
func (h Helper) Config() Config {
	return Config{
		Place: Locate(h.Getenv, h.Dirs.Cache, os.Getuid()), Models: Store(h.Dirs),
		Model: h.Settings.Model, Library: h.Settings.Library,
	}
}

// Start starts the helper in the background, unless it failed to start with the same
// settings within ten minutes; again overrides that. That there is no program to start is
// left for the next prompt's note.
func (h Helper) Start(again bool) error {
	c := h.Config()
	program, err := Program()
	if err != nil {
		if c.Place.Make(os.Getuid()) == nil {
			missing := Attempt{Want: c.Want(), Reason: err.Error(), Missing: true}
			_ = c.Place.SetAttempt(missing) // the note lacks the reason then
		}
		return err
	}
	return Start(c, program, h.Now(), again)
}

// Stop ends a helper that nobody may need any more; where one does, the next prompt
// starts it.
func (h Helper) Stop() {
	_ = h.Config().Client().Stop(2 * time.Second) // one that does not listen leaves by itself
}

const startLimit = time.Minute

// lockLimit is how long a helper may take to take its lock, its first act.
const lockLimit = 3 * time.Second

// Warm starts the helper where none runs and waits until it is ready.
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
				return st, fmt.Errorf("rerank helper does not start: %s", a.Reason)
			}
			if time.Since(started) > lockLimit && !c.Place.Held() {
				return st, errors.New("rerank helper broke down while it started")
			}
		}
		if time.Now().After(until) {
			return st, fmt.Errorf("rerank helper not ready after %v", startLimit)
		}
	}
}
