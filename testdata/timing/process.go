package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// result is one run of a process.
type result struct {
	wall   time.Duration
	rss    int64 // peak, bytes
	status int
	out    []byte
}

// start runs a program with the file stdin ("" for none) in h and measures it.
// Standard output goes through a pipe, as the host's does.
func (h home) start(stdin, name string, args ...string) (result, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = h.work, h.environ()
	if stdin != "" {
		f, err := os.Open(stdin)
		if err != nil {
			return result{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	r, w, err := os.Pipe()
	if err != nil {
		return result{}, err
	}
	defer r.Close()
	cmd.Stdout = w
	start := time.Now()
	if err := cmd.Start(); err != nil {
		w.Close()
		return result{}, err
	}
	w.Close()
	out, readErr := io.ReadAll(r)
	waitErr := cmd.Wait()
	res := result{wall: time.Since(start), status: cmd.ProcessState.ExitCode(), out: out}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		res.rss = int64(usage.Maxrss)
		if runtime.GOOS != "darwin" {
			res.rss *= 1024 // kilobytes everywhere else
		}
	}
	var exit *exec.ExitError
	if errors.As(waitErr, &exit) {
		waitErr = nil
	}
	return res, errors.Join(readErr, waitErr)
}

// skillgate runs a command that must succeed.
func (t *timing) skillgate(h home, args ...string) (result, error) {
	r, err := h.start("", t.binary, args...)
	if err == nil && r.status != 0 {
		err = fmt.Errorf("skillgate %v: exit status %d", args, r.status)
	}
	return r, err
}

// hook runs the hook on a prompt's file and checks the contract: status 0 and one
// JSON object or nothing.
func (t *timing) hook(h home, file string) (result, error) {
	r, err := h.start(file, t.binary, "hook")
	switch {
	case err != nil:
		return r, err
	case r.status != 0:
		return r, fmt.Errorf("hook < %s: exit status %d", file, r.status)
	case len(r.out) > 0 && !json.Valid(r.out):
		return r, fmt.Errorf("hook < %s: answer %q is not one JSON object", file, r.out)
	}
	return r, nil
}

// warmUps fill the page cache and let the processor settle before a sample.
const warmUps = 10

// hooks times the hook on the files in turn, in turns with the empty program.
func (t *timing) hooks(h home, files []string, runs int) (hooks, unit sample, err error) {
	for i := range warmUps + runs {
		r, err := t.hook(h, files[i%len(files)])
		if err != nil {
			return hooks, unit, err
		}
		u, err := h.start("", t.empty)
		if err != nil {
			return hooks, unit, err
		}
		if i >= warmUps {
			hooks.add(r)
			unit.add(u)
		}
	}
	return hooks, unit, nil
}

// home is a scratch user: a home folder and the folder they work in.
type home struct{ dir, work string }

func newHome(dir string) (home, error) {
	h := home{dir: dir, work: filepath.Join(dir, "work")}
	return h, errors.Join(os.MkdirAll(h.work, 0o700), os.MkdirAll(filepath.Join(dir, ".claude"), 0o700))
}

func (h home) environ() []string {
	return []string{"HOME=" + h.dir, "PATH=/usr/bin:/bin", "TMPDIR=" + os.TempDir(), "SKILLGATE_LOG_PROMPTS=terms"}
}

func (h home) skills() string { return filepath.Join(h.dir, ".claude", "skills") }

// sessions is how many sessions the timed prompts take turns in.
const sessions = 7

// writePrompts writes the hook's input for each prompt and returns the files.
func (h home) writePrompts(name string, prompts []string) ([]string, error) {
	var files []string
	for i, prompt := range prompts {
		text, err := json.Marshal(map[string]string{
			"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprintf("timing-%d", i%sessions), "cwd": h.work, "prompt": prompt,
		})
		if err != nil {
			return nil, err
		}
		file := filepath.Join(h.dir, fmt.Sprintf("%s-%03d.json", name, i))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
