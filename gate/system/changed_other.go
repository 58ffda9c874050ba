//go:build !linux

package system

import "io/fs"

// Changed returns when a file was last modified, in Unix nanoseconds.
func Changed(info fs.FileInfo) int64 { return info.ModTime().UnixNano() }
