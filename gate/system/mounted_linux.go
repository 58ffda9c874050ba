package system

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Mounted reports whether an open folder is a mount point. Before Linux 5.8 it always returns false.
func Mounted(folder *os.File) bool {
	var info unix.Statx_t
	err := unix.Statx(int(folder.Fd()), "", unix.AT_EMPTY_PATH, 0, &info)
	return err == nil && info.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}

// FileSystem returns the kind of the file system at path, such as ext4 or nfs4, or "" if unknown.
func FileSystem(path string) string {
	var info unix.Stat_t
	if unix.Stat(path, &info) != nil {
		return ""
	}
	device := fmt.Sprintf(" %d:%d ", unix.Major(info.Dev), unix.Minor(info.Dev))
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for mount := range strings.Lines(string(mounts)) {
		if _, kind, ok := strings.Cut(mount, " - "); ok && strings.Contains(mount, device) {
			kind, _, _ = strings.Cut(kind, " ")
			return kind
		}
	}
	return ""
}
