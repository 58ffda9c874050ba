package self

import (
	"bytes"
	"fmt"
	"os"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/system"
)

// Parts compares the running program with the small one of its installation, which users
// and hosts call, and returns that. Where there is none, called is "". The error says what
// the small one lacks that a build of the same source has.
func Parts() (called string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if called, err = system.CalledProgram(); err != nil {
		return "", err
	}
	a, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	if b, err := os.Stat(called); err != nil || os.SameFile(a, b) {
		return "", err
	}
	other, err := os.ReadFile(called)
	if err != nil {
		return called, err
	}
	return called, differ(other, build.Marks())
}

// differ says how a binary differs from those that hold marks; nil where it has them all.
func differ(binary []byte, marks []string) error {
	for _, mark := range marks {
		if !bytes.Contains(binary, []byte(mark)) {
			return fmt.Errorf("it is built from other source, without %q", mark)
		}
	}
	return nil
}
