//go:build unix

// Package systemtest gives tests the functions that only some systems have.
package systemtest

import "golang.org/x/sys/unix"

// Mkfifo creates a named pipe.
func Mkfifo(path string) error { return unix.Mkfifo(path, 0o600) }

// Umask sets the permissions that new files lack and returns the previous ones.
func Umask(mask int) int { return unix.Umask(mask) }
