// Package hot answers prompts: it is what runs between a prompt and the model, linked with
// nothing else. Whatever is broken, the prompt gets through.
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

// Process is what Hook may reach outside of itself.
type Process struct {
	Stdin   io.Reader
	Stdout  io.Writer
	Getenv  func(string) string
	Environ []string
	Now     func() time.Time
	Sleep   func(time.Duration)
	Cwd     string
	Program string      // as it was called
	Host    *hooks.Host // that the arguments tell, nil where the input does
	Exit    func()      // ends the process with status 0; nil where nothing may
}

// began returns the folder in which the session began, and sets in.Cwd to it where the host tells it apart from the
// current one: a session has the skills of the folder it began in.
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

// Registration tells the registrations of the program with a host apart, such as one in its settings and
// a plugin's. It is "" with a host that asks each of them about everything.
func (p *Process) Registration(host *hooks.Host) string {
	if host == nil || host.PluginVar == "" {
		return ""
	}
	return p.Getenv(host.PluginVar) + ":" + p.Program
}

// NewProcess is the process itself.
func NewProcess() *Process {
	log.SetOutput(io.Discard) // libraries return what they log
	cwd, _ := os.Getwd()      // without one, what needs it fails by itself
	return &Process{
		Stdin: os.Stdin, Stdout: os.Stdout,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now, Sleep: time.Sleep, Cwd: cwd, Program: os.Args[0],
		Exit: func() { Leave(os.Stdin) },
		Host: hooks.ToldBy(os.Args),
	}
}

// rest is the argument of hook with which a process reads what another has left on standard input.
const rest = "--rest"

// holdLimit is how long that process runs: longer than any host waits for its hook.
const holdLimit = 10 * time.Second

// drainLimit is how many bytes a process reads of what nobody needs before it ends.
const drainLimit = 1 << 20

// Leave ends a process that has read what it needs of stdin, with status 0; where that is no
// file it returns. A pipe that nobody reads is an error for the host, and waiting for a pipe to be
// closed would keep the host waiting: what is in it is read at once, and where more may come another
// process reads that. A connection that is also standard output would stay open with it, so that the
// host would wait for more answers: it is left alone.
func Leave(stdin io.Reader) {
	file, ok := stdin.(*os.File)
	if !ok {
		return
	}
	if system.Drain(system.FileOf(file), drainLimit) && !sameFile(file, os.Stdout) {
		if self, err := os.Executable(); err == nil {
			cmd := exec.Cmd{Path: self, Args: []string{os.Args[0], "hook", rest}, Stdin: file, SysProcAttr: system.Detached()}
			_ = cmd.Start() // nobody to tell
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

// Run runs args, which are those after the program's name, where they are a command that a host waits
// for, and reports whether they are. The exit status of these commands is always 0.
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
