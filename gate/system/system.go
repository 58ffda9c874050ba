// Package system contains everything that differs between operating systems: locks, opening and mapping files, owners,
// signals and processes. On Windows it reports no owners and inodes, and mapping a file copies it.
package system

import (
	"errors"
	"path/filepath"
	"runtime/debug"
)

var errNotRegular = errors.New("not a regular file")

// ErrLinked means that a file has another hard link.
var ErrLinked = errors.New("the file has a second hard link, so a change would also appear under the other name")

// FileID identifies a file independently of its path.
type FileID struct{ Device, Number uint64 }

// Owner is the user and the group of a file.
type Owner struct{ User, Group int }

// AbortOnFatal makes fatal errors of the Go runtime, including a panic of any goroutine, end the process by SIGABRT
// without a core file. The runtime's own exit status would be 2, which makes the host block the prompt.
func AbortOnFatal() {
	debug.SetTraceback("crash")
	noCore()
}

// OnPath returns the first program called name in the folders of path, which is a list like PATH, or "".
func OnPath(name, path string) string {
	for _, folder := range filepath.SplitList(path) {
		if file := Executable(filepath.Join(folder, name)); file != "" {
			return file
		}
	}
	return ""
}
