// Command skillgate reads each prompt before the model does and names the few
// skills that fit it. `skillgate --help` lists what it can do.
//
// Exit status: 0 fine, 1 findings, 3 failed or wrong usage. It is never 2, which
// the host reads as "erase the prompt"; hook and observe always exit with 0.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/hot"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/observe"
)

func main() { os.Exit(run(hot.NewProcess(), os.Args[1:])) }

// run is the whole program. hook and observe are dispatched before anything
// else: they cost no flag package and cannot fail on a flag.
func run(p *hot.Process, args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "hook":
			return hot.Hook(p)
		case "observe":
			return observe.Run(p, func(cwd string) { _ = hot.Refresh(cwd) }) // there is nobody to tell
		}
	}
	return runCommand(&env{
		args: args, stdin: p.Stdin, stdout: p.Stdout, stderr: os.Stderr,
		getenv: p.Getenv, environ: p.Environ, now: p.Now, cwd: p.Cwd,
	})
}

// runCommand runs every other command. A panic, which would leave status 2, and a
// fault in a mapped file that was cut are errors like any other.
func runCommand(e *env) (code int) {
	debug.SetPanicOnFault(true)
	signal.Ignore(syscall.SIGXFSZ) // writing fails instead, and the runtime does not end with status 2
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(e.stderr, "skillgate: internal error: %v\n", r)
			fmt.Fprintf(e.stderr, "skillgate: hint: where the index is damaged, `skillgate index --full` makes a new one\n")
			code = 3
		}
	}()
	out := e.keepErrors()
	e.stderr = app.NewPlain(e.stderr)
	root := newRootCommand(e)
	started := false
	onRun(root, func() { started = true })
	root.SetArgs(e.args)
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	cmd, err := root.ExecuteC()
	if moved := (*app.Error)(nil); errors.As(err, &moved) {
		err = &exitError{code: moved.Code, err: moved.Err, hint: moved.Hint}
	}
	var exit *exitError
	findings := errors.As(err, &exit) && exit.err == nil
	if (err == nil || findings) && out.err != nil && !cmd.Flags().Changed("hook") {
		err, exit, findings = out.err, nil, false
	}
	hint := ""
	code = 3
	switch {
	case err == nil:
		return 0
	case findings:
		return exit.code
	case exit != nil:
		code, hint = exit.code, exit.hint
	case !started:
		hint = usageHint(cmd)
	}
	name := strings.TrimPrefix(cmd.CommandPath(), "skillgate")
	fmt.Fprintf(e.stderr, "skillgate:%s %v\n", colon(name), err)
	if hint != "" {
		fmt.Fprintf(e.stderr, "skillgate: hint: %s\n", hint)
	}
	return code
}

func colon(name string) string {
	if name == "" {
		return ""
	}
	return name + ":"
}
