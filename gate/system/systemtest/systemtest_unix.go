//go:build unix

// Package systemtest provides functions of the operating system for tests: named pipes and the umask.
package systemtest

import "golang.org/x/sys/unix"

// Mkfifo creates a named pipe.
func Mkfifo(path string) error { return unix.Mkfifo(path, 0o600) }

// Umask sets the permission bits that new files do not get, and returns the previous mask.
func Umask(mask int) int { return unix.Umask(mask) }
