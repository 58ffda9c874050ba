package system

import (
	"os"

	"golang.org/x/sys/unix"
)

// Mounted reports whether an open folder is the top of what is mounted there, which may be another folder of the
// same disk. Systems before Linux 5.8 do not tell.
func Mounted(folder *os.File) bool {
	var info unix.Statx_t
	err := unix.Statx(int(folder.Fd()), "", unix.AT_EMPTY_PATH, 0, &info)
	return err == nil && info.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
