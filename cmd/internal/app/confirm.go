package app

import (
	"bufio"
	"fmt"
	"strings"
)

// Confirm asks on a terminal; hint is the next step where there is none to ask on, and
// undone says what an answer other than yes leaves as it was.
func (a *App) Confirm(question, undone, hint string) error {
	in, ok := Terminal(a.Stdin)
	if !ok {
		return Fail(hint, "%s: no terminal to ask on", undone)
	}
	fmt.Fprintf(a.Stderr, "%s? [y/N] ", question)
	line, err := bufio.NewReader(in).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes", "ㅛ", "네", "예":
		return nil
	}
	if err != nil {
		fmt.Fprintln(a.Stderr)
	}
	return Fail("", "%s: not confirmed", undone)
}
