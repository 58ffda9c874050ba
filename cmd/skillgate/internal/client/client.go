// Package client runs the Claude Code that is installed on this machine.
package client

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/system"
)

// ErrNone is returned if there is no claude on PATH.
var ErrNone = errors.New("claude is not on PATH")

// Version is a version number such as 2.1.330.
type Version [3]int

// Modules is the oldest version of Claude Code with which the plugin's module was tested.
var Modules = Version{2, 1, 330}

// Parse parses the output of `claude --version`.
func Parse(text string) (v Version, err error) {
	if _, err := fmt.Sscanf(text, "%d.%d.%d", &v[0], &v[1], &v[2]); err != nil {
		return v, fmt.Errorf("%q is not a version number", strings.TrimSpace(text))
	}
	return v, nil
}

// Before reports whether v is older than o.
func (v Version) Before(o Version) bool { return slices.Compare(v[:], o[:]) < 0 }

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// limit is the timeout of a command. On a busy machine the client takes seconds to start.
const limit = time.Minute

// Run runs the first claude on PATH and returns its standard output. The error contains its standard error.
func Run(ctx context.Context, a *app.App, args ...string) (string, error) {
	name := system.OnPath("claude", a.Getenv("PATH"))
	if name == "" {
		return "", ErrNone
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = a.Environ, a.Cwd, time.Second
	out, err := cmd.Output()
	if err == nil {
		return string(out), nil
	}
	err = fmt.Errorf("run claude %s: %w", strings.Join(args, " "), err)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}
