package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/stretchr/testify/require"
)

const (
	enter     = "\r"
	up        = "\x1b[A"
	clearLine = "\x15" // Ctrl-U
	escape    = "\x1b"
	pasted    = "\x1b[200~"
	pasteEnd  = "\x1b[201~"
)

type terminal struct {
	t      *testing.T
	pty    *os.File
	screen vt10x.Terminal
}

func (m *machine) terminal(t *testing.T, args ...string) *terminal {
	t.Helper()
	c := m.opens(t, m.command(m.claude.path, args...))
	c.sees("? for shortcuts", "❯")
	return c
}

func (m *machine) opens(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	cmd.Cancel = func() error { return system.EndGroup(cmd.Process) } // including its hooks
	size := pty.Winsize{Rows: 50, Cols: 160}
	f, err := pty.StartWithSize(cmd, &size)
	require.NoError(t, err)
	c := &terminal{t, f, vt10x.New(vt10x.WithSize(int(size.Cols), int(size.Rows)), vt10x.WithWriter(f))}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 32<<10)
		for {
			n, err := f.Read(buf)
			if n > 0 {
				_, _ = c.screen.Write(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Cancel() // it may have exited
		_ = cmd.Wait()   // killed by the signal
		f.Close()
		<-read
	})
	return c
}

func (c *terminal) text() string { return c.screen.String() }

func (c *terminal) sees(texts ...string) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		shown := c.text()
		for _, text := range texts {
			if strings.Contains(shown, text) {
				return
			}
		}
	}
	c.t.Fatalf("the terminal shows\n%s\nwant one of %q", c.text(), texts)
}

func (c *terminal) gone(text string) {
	c.t.Helper()
	for end := time.Now().Add(20 * time.Second); strings.Contains(c.text(), text); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("the terminal shows\n%s\nwant it without %q", c.text(), text)
		}
	}
}

func (c *terminal) idle() {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); strings.Contains(c.text(), "esc to interrupt"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("the terminal shows\n%s\nwant the client idle", c.text())
		}
	}
}

func (c *terminal) ponder() { time.Sleep(700 * time.Millisecond) }

func (c *terminal) press(keys string) {
	c.t.Helper()
	if _, err := c.pty.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(150 * time.Millisecond) // keys that arrive together count as a paste
}

func (c *terminal) submit(prompt string) {
	c.t.Helper()
	before := strings.Count(c.text(), prompt)
	c.press(prompt)
	for end := time.Now().Add(10 * time.Second); strings.Count(c.text(), prompt) <= before && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond) // it may have scrolled away or be broken into two lines
	}
	c.press(enter)
}
