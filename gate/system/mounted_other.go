//go:build !linux

package system

import "os"

// Mounted returns false: mount points cannot be recognised here.
func Mounted(*os.File) bool { return false }

// FileSystem returns "": the kind of a file system is unknown here.
func FileSystem(string) string { return "" }
