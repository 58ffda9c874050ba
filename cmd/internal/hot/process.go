// Package hot answers prompts: it is what runs between a prompt and the model, linked with
// nothing else. Whatever is broken, the prompt gets through.
package hot

import (
	"io"
	"log"
	"os"
	"time"

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
	Program string         // as it was called
	Host    *hooks.Host    // that the arguments tell, nil where the input does
	Exit    func(code int) // ends the process; nil where nothing may
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
	log.SetOutput(io.Discard) // bleve logs what it cannot open, and returns it as an error too
	cwd, _ := os.Getwd()      // without one, what needs it fails by itself
	return &Process{
		Stdin: os.Stdin, Stdout: os.Stdout,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now, Sleep: time.Sleep, Cwd: cwd, Program: os.Args[0],
		Exit: os.Exit,
		Host: hooks.ToldBy(os.Args),
	}
}
