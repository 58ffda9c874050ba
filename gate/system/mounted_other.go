//go:build !linux

package system

import "os"

// Mounted reports whether an open folder is the top of what is mounted there: it cannot be known here.
func Mounted(*os.File) bool { return false }

// FileSystem returns the kind of the file system that path is on: it cannot be known here.
func FileSystem(string) string { return "" }
