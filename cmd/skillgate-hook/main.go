// Command skillgate-hook is installed as bin/skillgate. It answers prompts and records session starts itself, because
// hosts wait for both, and passes every other command on to the complete program. It is small because every linked
// package slows down every prompt.
//
// Exit status: that of the complete program, or 3 if there is none. hook and observe always exit with 0.
package main

import (
	"fmt"
	"os"

	"github.com/skillgate/skillgate/cmd/internal/hot"
	_ "github.com/skillgate/skillgate/cmd/internal/start"
	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/synonyms/lent"
)

func main() {
	if hot.Run(os.Args[1:]) {
		return
	}
	err := runComplete()
	if len(os.Args) > 1 && os.Args[1] == "observe" {
		os.Exit(0) // the session continues after any error
	}
	fmt.Fprintf(os.Stderr, "skillgate: %v\n", err)
	fmt.Fprintf(os.Stderr, "skillgate: hint: %s\n", lent.Hint)
	os.Exit(3)
}

// runComplete replaces this process with the complete program. It returns only if that fails.
func runComplete() error {
	called, err := system.CalledProgram()
	if err != nil {
		return err
	}
	file := system.CompleteProgram(called)
	if err := system.Exec(file, os.Args, os.Environ()); err != nil {
		return fmt.Errorf("run %s: %w", file, err)
	}
	return nil
}
