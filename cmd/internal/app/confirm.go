package app

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/skillgate/skillgate/synonyms/lang/vocab"
)

// Confirm asks on a terminal; hint is the next step where there is none to ask on, and
// undone says what an answer other than yes leaves as it was.
func (a *App) Confirm(question, undone, hint string) error {
	in, ok := Terminal(a.Stdin)
	if !ok {
		return Fail(a.T(hint), a.T("%s: no terminal to ask on"), a.T(undone))
	}
	if a.ask(in, question) {
		return nil
	}
	return Fail("", a.T("%s: not confirmed"), a.T(undone))
}

// Ask asks a question on the terminal. Anything but a yes is a no, and so is having no terminal.
func (a *App) Ask(question string) bool {
	in, ok := Terminal(a.Stdin)
	return ok && a.ask(in, question)
}

func (a *App) ask(in io.Reader, question string) bool {
	fmt.Fprintf(a.Stderr, "%s? [y/N] ", question)
	line, err := bufio.NewReader(in).ReadString('\n')
	if vocab.Yes.Has(strings.ToLower(strings.TrimSpace(line))) {
		return true
	}
	if err != nil {
		fmt.Fprintln(a.Stderr)
	}
	return false
}
