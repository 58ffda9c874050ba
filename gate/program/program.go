// Package program knows where the programs of an installation lie. Users and hosts call
// PREFIX/bin/skillgate, which answers prompts and is small, so that it starts at once. It
// hands every other command to the complete program, PREFIX/lib/skillgate/skillgate. Where
// skillgate is installed in another way, there is only the complete program.
package program

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/system"
)

const name = "skillgate"

// Called returns the program that users and hosts call: the running one, links resolved,
// or where that is the complete program of an installation, the small one of it.
func Called() (string, error) {
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
	called := filepath.Join(prefix, "bin", name+system.Program)
	if Complete(called) != self {
		return self
	}
	if fi, err := os.Stat(called); err != nil || !fi.Mode().IsRegular() {
		return self
	}
	return called
}

// Complete returns where the complete program of an installation lies whose small one is
// called.
func Complete(called string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(called)), "lib", name, name+system.Program)
}
