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
	if a.ask(in, question, false) {
		return nil
	}
	return Fail("", a.T("%s: not confirmed"), a.T(undone))
}

// Ask asks on the terminal for what is done by default: an empty line is a yes, and so is having no terminal.
func (a *App) Ask(question string) bool {
	in, ok := Terminal(a.Stdin)
	return !ok || a.ask(in, question, true)
}

func (a *App) ask(in io.Reader, question string, yes bool) bool {
	choice := "y/N"
	if yes {
		choice = "Y/n"
	}
	fmt.Fprintf(a.Stderr, "%s? [%s] ", question, choice)
	line, err := bufio.NewReader(in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); vocab.Yes.Has(answer) || yes && answer == "" && err == nil {
		return true
	}
	if err != nil {
		fmt.Fprintln(a.Stderr)
	}
	return false
}
