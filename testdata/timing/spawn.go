package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// spawner is the argument with which the program only starts processes for another instance of itself.
const spawner = "spawn"

// job is a process to measure. Its standard input is a pipe with Input, its standard output another pipe.
type job struct {
	Args, Env  []string
	Dir, Input string
}

type usage struct {
	Wall, CPU float64 // ms; Wall from start to end, CPU of all threads and children
	Faults    int64   // minor page faults, which read nothing from disk
	MB        float64 // peak memory
	Err       string  // "" if it ended with status 0
}

// serve runs each job from in and writes its usage to out.
func serve(in io.Reader, out io.Writer) error {
	jobs, results := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var j job
		if err := jobs.Decode(&j); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		u, err := run(j)
		if err != nil {
			u.Err = err.Error()
		}
		if err := results.Encode(u); err != nil {
			return err
		}
	}
}

func run(j job) (u usage, err error) {
	stdin, toStdin, err1 := os.Pipe()
	fromStdout, stdout, err2 := os.Pipe()
	if err := errors.Join(err1, err2); err != nil {
		return u, err
	}
	defer fromStdout.Close()
	if _, err := toStdin.WriteString(j.Input); err != nil { // does not block, because a pipe holds 64 KB
		return u, err
	}
	toStdin.Close()
	start := time.Now()
	p, err := os.StartProcess(j.Args[0], j.Args,
		&os.ProcAttr{Dir: j.Dir, Env: j.Env, Files: []*os.File{stdin, stdout, os.Stderr}})
	stdin.Close()
	stdout.Close()
	if err != nil {
		return u, err
	}
	answer, err := io.ReadAll(fromStdout)
	state, err1 := p.Wait()
	u.Wall = float64(time.Since(start).Microseconds()) / 1000
	if err := errors.Join(err, err1); err != nil {
		return u, err
	}
	u.CPU = float64((state.UserTime() + state.SystemTime()).Microseconds()) / 1000
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		u.Faults, u.MB = r.Minflt, float64(r.Maxrss)/1024
	}
	if !state.Success() {
		return u, fmt.Errorf("%s: %s", state, answer)
	}
	return u, nil
}
