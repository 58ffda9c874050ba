//go:build cgo

package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func (m *sandbox) under(limit, stdin string, args ...string) ended {
	m.t.Helper()
	shell, err := exec.LookPath("bash")
	if err != nil {
		m.t.Skip("no bash to set a limit with")
	}
	cmd := m.command(strings.NewReader(stdin), args...)
	cmd.Args = append([]string{shell, "-c", "ulimit " + limit + ` && exec -a skillgate "$0" "$@"`, cmd.Path}, args...)
	cmd.Path = shell
	return m.finish(cmd)
}

func TestStatusUnderALimitOfMemory(t *testing.T) {
	t.Parallel()
	if raceDetector {
		t.Skip("the race detector reserves terabytes")
	}
	m := newSandbox(t)
	m.index()
	for _, flag := range []string{"-v", "-d"} {
		for _, limit := range []int{1_000, 8_000, 64_000, 100_000, 200_000, 400_000, 720_000, 760_000, 850_000, 910_000,
			1_000_000, 1_200_000, 1_250_000, 1_300_000, 1_440_000, 1_510_000, 2_000_000} {
			t.Run(fmt.Sprintf("%s %d", flag, limit), func(t *testing.T) {
				m := *m
				m.t = t
				how := fmt.Sprintf("%s %d", flag, limit)
				for _, command := range []string{"hook", "observe"} {
					// -1 is a signal of the kernel, 139 the same reported by the shell, 127 a library that cannot be mapped.
					if r := m.under(how, payload(securityPrompt), command); r.code != 0 && r.code != -1 && r.code != 139 && r.code != 127 {
						t.Errorf("%s: status %d\n%.300s", command, r.code, r.stderr)
					}
				}
				r := m.under(how, "", "version")
				if r.code == 2 || r.code == 3 && !strings.Contains(r.stderr, "hint: ") {
					t.Errorf("version: status %d, want not 2, and 3 with a hint: %.300s", r.code, r.stderr)
				}
			})
		}
	}
}
