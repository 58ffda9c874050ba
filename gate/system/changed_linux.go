package system

import (
	"io/fs"
	"syscall"
)

// Changed returns when a file or its metadata last changed, in Unix nanoseconds. Programs cannot set this time back,
// unlike the modification time.
func Changed(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return info.ModTime().UnixNano()
}
