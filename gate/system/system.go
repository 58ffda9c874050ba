// Package system holds what differs between the systems that skillgate runs on: locks, how files
// are opened and mapped, who owns them, signals and processes. On Windows a file has neither owner
// nor number here, and a mapped file is a copy of it.
package system

import "errors"

var errNotRegular = errors.New("not a regular file")

// FileID is a file's place on its disk, whatever its path.
type FileID struct{ Device, Number uint64 }

// Owner is the user and the group that a file belongs to.
type Owner struct{ User, Group int }
