package system

import (
	"fmt"
	"os"
	"path/filepath"
)

const program = "skillgate"

// CalledProgram returns the path of the program that users and hosts call, with links resolved. An installation has two
// programs. The small one, PREFIX/bin/skillgate, starts fast and answers prompts. It passes every other command on to
// the complete one, PREFIX/lib/skillgate/skillgate. CalledProgram returns the path of the small one. If skillgate is
// installed in another way, it returns the path of the running program.
func CalledProgram() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find the running program: %w", err)
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

// CompleteProgram returns the path of the complete program that belongs to the small program at path.
func CompleteProgram(path string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(path)), "lib", program, program+Program)
}
