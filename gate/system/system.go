// Package system holds what differs between the systems that skillgate runs on: locks, how files
// are opened and mapped, who owns them, signals and processes. On Windows a file has neither owner
// nor inode here, and mapping a file copies it.
package system

import (
	"errors"
	"path/filepath"
	"runtime/debug"
)

var errNotRegular = errors.New("not a regular file")

// ErrLinked says that a file has a second name, a hard link.
var ErrLinked = errors.New("the file has another name too, where it would change as well")

// FileID is a file's place on its disk, whatever its path.
type FileID struct{ Device, Number uint64 }

// Owner is the user and the group that a file belongs to.
type Owner struct{ User, Group int }

// AbortOnFatal makes everything that the Go runtime does not survive, a panic of any goroutine
// too, end the process by SIGABRT and without a core file. The runtime's own exit status
// would be 2, for which the host blocks the prompt.
func AbortOnFatal() {
	debug.SetTraceback("crash")
	noCore()
}

// OnPath returns the program of that name in the first folder of path that has it, "" where none
// has; path is a list as in PATH.
func OnPath(name, path string) string {
	for _, folder := range filepath.SplitList(path) {
		if file := Executable(filepath.Join(folder, name)); file != "" {
			return file
		}
	}
	return ""
}
