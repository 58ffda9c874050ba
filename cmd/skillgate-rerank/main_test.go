//go:build onnx

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

type panics struct{}

func (panics) Write([]byte) (int, error) { panic("boom") }

// Without recovery the exit status of a panic would be 2.
func TestAPanicEndsWithStatus3(t *testing.T) {
	var stderr bytes.Buffer
	if code := run([]string{"version"}, panics{}, &stderr); code != 3 || !strings.Contains(stderr.String(), "boom") {
		t.Errorf("status %d, %q; want 3 and what broke", code, stderr.String())
	}
}

// Faults that cannot be recovered, such as SIGQUIT, end the process with SIGABRT.
func TestWhatIsFatalAborts(t *testing.T) {
	if os.Getenv("FATAL") != "" {
		run([]string{"version"}, os.Stdout, os.Stderr)
		syscall.Kill(os.Getpid(), syscall.SIGQUIT)
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestWhatIsFatalAborts$")
	cmd.Env = append(os.Environ(), "FATAL=1")
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != -1 {
		t.Errorf("the program ended with %v, want SIGABRT", err)
	}
}
