package system

import (
	"fmt"
	"os"
	"path/filepath"
)

const program = "skillgate"

// CalledProgram returns the path of the program that users and hosts call, with links resolved. An installation has a
// small program, PREFIX/bin/skillgate, which answers prompts and starts at once, and a complete one,
// PREFIX/lib/skillgate/skillgate, to which the small one hands every other command. CalledProgram returns the small
// one. If skillgate is installed in another way, the running program is the only one.
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

// CompleteProgram returns the path of the complete program of the installation whose small program is called.
func CompleteProgram(called string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(called)), "lib", program, program+Program)
}
