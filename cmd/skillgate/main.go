// Command skillgate reads each prompt before the model does and suggests the few skills that fit it. `skillgate
// --help` lists its commands.
//
// Exit status: 0 success, 1 findings, 3 failure or wrong usage. It is never 2, which makes the host discard the
// prompt; hook and observe always exit with 0.
package main

import (
	"os"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/hot"
	_ "github.com/skillgate/skillgate/cmd/internal/start"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/observe"
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs hook and observe without parsing flags, so that an unknown flag cannot make them fail.
func run(args []string) int {
	if hot.Run(args) {
		return 0
	}
	p := hot.NewProcess()
	if len(args) > 0 && args[0] == "observe" {
		// errors cannot be reported to anyone
		return observe.Run(p, func(cwd string, flags ...string) { _ = hot.Refresh(cwd, flags...) })
	}
	a := app.New(args)
	return a.Run(newRoot(a))
}
