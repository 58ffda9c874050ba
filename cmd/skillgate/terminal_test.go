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

// terminal is a program in a terminal, with a person before it.
type terminal struct {
	t      *testing.T
	pty    *os.File
	screen vt10x.Terminal
}

// terminal starts the client in a terminal and waits until it takes a prompt.
func (m *machine) terminal(t *testing.T, args ...string) *terminal {
	t.Helper()
	c := m.opens(t, m.command(m.claude.path, args...))
	c.sees("? for shortcuts", "❯")
	return c
}

func (m *machine) opens(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	cmd.Cancel = func() error { return system.EndGroup(cmd.Process) } // its hooks too
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
				_, _ = c.screen.Write(buf[:n]) // to memory
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Cancel() // it may have ended
		_ = cmd.Wait()   // by that signal
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

// ponder is how long a person takes before the next key at least.
func (c *terminal) ponder() { time.Sleep(700 * time.Millisecond) }

func (c *terminal) press(keys string) {
	c.t.Helper()
	if _, err := c.pty.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
	time.Sleep(150 * time.Millisecond) // keys that come together are a paste
}

// submit types a prompt and sends it, once the client has taken what was typed: it reads an Enter
// that comes together with a text as part of the text.
func (c *terminal) submit(prompt string) {
	c.t.Helper()
	before := strings.Count(c.text(), prompt)
	c.press(prompt)
	for end := time.Now().Add(10 * time.Second); strings.Count(c.text(), prompt) <= before && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond) // it may be scrolled away or broken in two lines
	}
	c.press(enter)
}
