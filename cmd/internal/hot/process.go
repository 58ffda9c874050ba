// Package hot answers prompts. It contains all code that runs between a prompt and the model. Whatever fails in it,
// the prompt gets through.
package hot

import (
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate/system"
	"github.com/skillgate/skillgate/hooks"
)

// Process is the environment of Hook and Begin.
type Process struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Getenv  func(string) string
	Environ []string
	Now     func() time.Time
	Sleep   func(time.Duration)
	Cwd     string
	Program string      // path by which the program was called
	Host    *hooks.Host // from the arguments; nil if the input identifies the host
	Exit    func()      // ends the process with status 0; nil if it must not be ended
}

// began returns the folder in which the session began, which determines the session's skills. If an environment
// variable of the host names that folder, began also sets in.Cwd to it.
func (p *Process) began(in *hooks.Input) string {
	if in.Host != nil && in.Host.BeginVar != "" {
		if dir := p.Getenv(in.Host.BeginVar); filepath.IsAbs(dir) {
			in.Cwd = filepath.Clean(dir)
		}
	}
	if !filepath.IsAbs(in.Cwd) || len(in.Cwd) > maxPath {
		return p.Cwd
	}
	return in.Cwd
}

// Registration distinguishes several registrations of the program with a host, such as one in its settings and one in a
// plugin. It is "" for a host that may run a registration twice for one prompt.
func (p *Process) Registration(host *hooks.Host) string {
	if host == nil || host.PluginVar == "" {
		return ""
	}
	return p.Getenv(host.PluginVar) + ":" + p.Program
}

// NewProcess returns the environment of this process.
func NewProcess() *Process {
	log.SetOutput(io.Discard) // errors that libraries log are also returned
	cwd, _ := os.Getwd()      // "" if there is none
	return &Process{
		Stdin: os.Stdin, Stdout: os.Stdout,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now, Sleep: time.Sleep, Cwd: cwd, Program: os.Args[0],
		Exit: func() { Leave(os.Stdin) },
		Host: hooks.ToldBy(os.Args),
	}
}

// rest is the argument that makes hook read the remaining standard input of another process.
const rest = "--rest"

// holdLimit is the longest time that a process started with --rest runs. It is longer than any host waits for its hook.
const holdLimit = 10 * time.Second

// drainLimit is the maximum number of unneeded bytes that a process reads before it ends.
const drainLimit = 1 << 20

// Leave drains stdin and ends the process with status 0. If stdin is not a file, it only returns. Hosts report an
// error if a pipe is closed before it was read, but waiting for its end would keep the host waiting. So Leave reads
// the bytes in the pipe, and if more may come, another process reads those. If stdin and stdout are the same
// connection, Leave starts no process, which would keep the connection open and the host waiting.
func Leave(stdin io.Reader) {
	file, ok := stdin.(*os.File)
	if !ok {
		return
	}
	if system.Drain(system.FileOf(file), drainLimit) && !sameFile(file, os.Stdout) {
		if self, err := os.Executable(); err == nil {
			cmd := exec.Cmd{Path: self, Args: []string{os.Args[0], "hook", rest}, Stdin: file}
			_ = system.Start(&cmd.SysProcAttr, cmd.Start) // an error could not be reported
		}
	}
	os.Exit(0)
}

func sameFile(a, b *os.File) bool {
	x, errA := a.Stat()
	y, errB := b.Stat()
	return errA == nil && errB == nil && os.SameFile(x, y)
}

func hold() {
	time.AfterFunc(holdLimit, func() { os.Exit(0) })
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// Run runs the command in args, which exclude the program's name, if a host waits for that command. Otherwise it
// returns false. The exit status of these commands is always 0.
func Run(args []string) bool {
	command := strings.Join(args[:min(len(args), 2)], " ")
	switch {
	case command == "hook "+rest:
		hold()
	case len(args) > 0 && args[0] == "hook":
		Hook(NewProcess())
	case command == "observe "+hooks.Begin:
		Begin(NewProcess())
	default:
		return false
	}
	return true
}
