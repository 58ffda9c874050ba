//go:build unix

// Package systemtest gives tests what only some systems have.
package systemtest

import "golang.org/x/sys/unix"

// Mkfifo makes a named pipe.
func Mkfifo(path string) error { return unix.Mkfifo(path, 0o600) }

// Umask sets which rights new files lack and returns which they lacked before.
func Umask(mask int) int { return unix.Umask(mask) }
