// Package system contains everything that differs between operating systems: locks, opening and mapping files,
// owners, signals and processes. On Windows a file has neither owner nor inode here, and mapping a file copies it.
package system

import (
	"errors"
	"path/filepath"
	"runtime/debug"
)

var errNotRegular = errors.New("not a regular file")

// ErrLinked says that a file has a second name, a hard link.
var ErrLinked = errors.New("the file has a second name (hard link), under which it would change too")

// FileID identifies a file on its disk, whatever its path.
type FileID struct{ Device, Number uint64 }

// Owner is the user and the group of a file.
type Owner struct{ User, Group int }

// AbortOnFatal makes fatal errors of the Go runtime, including a panic of any goroutine, end the process by SIGABRT
// without a core file. The runtime's own exit status would be 2, for which the host blocks the prompt.
func AbortOnFatal() {
	debug.SetTraceback("crash")
	noCore()
}

// OnPath returns the program with that name in the first folder of path that has it, or "". path is a list like PATH.
func OnPath(name, path string) string {
	for _, folder := range filepath.SplitList(path) {
		if file := Executable(filepath.Join(folder, name)); file != "" {
			return file
		}
	}
	return ""
}
