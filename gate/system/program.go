package system

import (
	"fmt"
	"os"
	"path/filepath"
)

const program = "skillgate"

// CalledProgram returns the program that users and hosts call: the running one, links resolved, or, if
// that is the complete program of an installation, its small one. Users and hosts call
// PREFIX/bin/skillgate, which answers prompts and is small, so that it starts at once. It hands
// every other command to the complete program, PREFIX/lib/skillgate/skillgate. If skillgate is
// installed in another way, there is only the complete program.
func CalledProgram() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	return calledFor(self), nil
}

func calledFor(self string) string {
	prefix := filepath.Dir(filepath.Dir(filepath.Dir(self)))
	called := filepath.Join(prefix, "bin", program+Program)
	if CompleteProgram(called) != self {
		return self
	}
	if fi, err := os.Stat(called); err != nil || !fi.Mode().IsRegular() {
		return self
	}
	return called
}

// CompleteProgram returns where the complete program of an installation lies whose small one is
// called.
func CompleteProgram(called string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(called)), "lib", program, program+Program)
}
