package apptest

import (
	"io"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/cmd/internal/app"
)

// OnTerminal runs work with a terminal of so many columns as a.Stdout, and returns the lines
// that it shows.
func OnTerminal(t testing.TB, a *app.App, columns int, work func() error) []string {
	t.Helper()
	screen, tty, err := pty.Open()
	require.NoError(t, err)
	defer screen.Close()
	require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: 50, Cols: uint16(columns)}))
	shown := make(chan []byte)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error once nobody writes
		shown <- text
	}()
	before := a.Stdout
	a.Stdout = tty
	err = work()
	a.Stdout = before
	tty.Close()
	require.NoError(t, err)
	return strings.Split(strings.TrimRight(strings.ReplaceAll(string(<-shown), "\r\n", "\n"), "\n"), "\n")
}
