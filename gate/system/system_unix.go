//go:build unix

package system

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// Flags for opening a file. NoFollow: do not follow a symbolic link. NonBlock: do not wait for the other end of a pipe.
// NoCTTY: do not make a terminal the process's controlling terminal.
const (
	NoFollow = unix.O_NOFOLLOW
	NonBlock = unix.O_NONBLOCK
	NoCTTY   = unix.O_NOCTTY
)

// Home is the environment variable with the user's home folder, and Program the extension of executable files. Modes
// says whether files have modes, and FolderSync whether folders can be synced.
const (
	Home       = "HOME"
	Program    = ""
	Modes      = true
	FolderSync = true
)

// OpenFile is like os.OpenFile, but other processes can rename and remove the open file.
func OpenFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}

// File is an open file without the poller of os.File: opening and locking it takes fewer system calls.
type File int

// Open is like OpenFile but returns a File. Its errors do not name path.
func Open(path string, flag int, mode fs.FileMode) (File, error) {
	fd, err := ignoringEINTR(func() (int, error) { return unix.Open(path, flag|unix.O_CLOEXEC, uint32(mode.Perm())) })
	return File(fd), err
}

// FileOf returns the open file of f. Closing f closes it.
func FileOf(f *os.File) File { return File(f.Fd()) }

// Write writes once. It may write less than all of b.
func (f File) Write(b []byte) (int, error) {
	return ignoringEINTR(func() (int, error) { return unix.Write(int(f), b) })
}

// Close closes the file and unlocks it.
func (f File) Close() error { return unix.Close(int(f)) }

// Named reports whether f is still the file at path. It fails if f is not a regular file or has another hard link.
func (f File) Named(path string) (bool, error) {
	var open, named unix.Stat_t
	if err := unix.Fstat(int(f), &open); err != nil {
		return false, err
	}
	if open.Mode&unix.S_IFMT != unix.S_IFREG {
		return false, errNotRegular
	}
	if open.Nlink > 1 {
		return false, ErrLinked
	}
	err := unix.Lstat(path, &named)
	return err == nil && named.Ino == open.Ino && named.Dev == open.Dev, nil
}

func ignoringEINTR(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// Executable returns file if it is a regular file with execute permission for any user, or "" otherwise.
func Executable(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return ""
	}
	return file
}

// Sync flushes a file or a folder to its disk.
func Sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// TryLock locks an open file, exclusively if alone is set and shared otherwise, and reports whether it succeeded.
// Closing the file unlocks it.
func TryLock(f File, alone bool) (bool, error) {
	how := unix.LOCK_SH
	if alone {
		how = unix.LOCK_EX
	}
	err := unix.Flock(int(f), how|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK || err == unix.EINTR {
		return false, nil
	}
	return err == nil, err
}

// Map maps the first size bytes of a file for reading; size must be positive. Reading a part that was truncated later
// causes a fault.
func Map(f *os.File, size int64) ([]byte, error) {
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, &fs.PathError{Op: "mmap", Path: f.Name(), Err: err}
	}
	return data, nil
}

// Unmap releases the result of Map.
func Unmap(data []byte) error { return unix.Munmap(data) }

// ID returns the identity of the file described by info; ok is false if it is unknown.
func ID(info fs.FileInfo) (FileID, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return FileID{}, false
	}
	return FileID{uint64(st.Dev), uint64(st.Ino)}, true //nolint:unconvert // Dev is an int32 on darwin
}

// Links returns the number of hard links of the file that info describes, or 1 if unknown. f is the open file or nil.
// Some systems need f and return 1 without it.
func Links(_ *os.File, info fs.FileInfo) int {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return int(st.Nlink) //nolint:unconvert // Nlink has another type on each system
}

// OwnerOf returns the owner of the file described by info; ok is false if it is unknown.
func OwnerOf(info fs.FileInfo) (Owner, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Owner{}, false
	}
	return Owner{int(st.Uid), int(st.Gid)}, true
}

// FailWrites makes writes beyond the file size limit return an error instead of ending the process. If pipes is set,
// the same applies to writes to a pipe that nobody reads.
func FailWrites(pipes bool) {
	signal.Ignore(syscall.SIGXFSZ)
	if pipes {
		signal.Ignore(syscall.SIGPIPE)
	}
}

func noCore() { _ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) }

// Drain discards the data waiting in a pipe or a connection, up to about limit bytes, and reports whether more may
// come. It does not wait. It does not read from a terminal, because other processes read from it too.
func Drain(f File, limit int) (open bool) {
	var st unix.Stat_t
	if unix.Fstat(int(f), &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO && st.Mode&unix.S_IFMT != unix.S_IFSOCK {
		return false
	}
	var buf [16 << 10]byte
	for limit > 0 {
		ready := []unix.PollFd{{Fd: int32(f), Events: unix.POLLIN}}
		n, err := ignoringEINTR(func() (int, error) { return unix.Poll(ready, 0) })
		if err != nil || n == 0 {
			return err == nil
		}
		if ready[0].Revents&unix.POLLIN == 0 {
			return false // the other end is closed
		}
		if n, err = ignoringEINTR(func() (int, error) { return unix.Read(int(f), buf[:]) }); err != nil || n == 0 {
			return false
		}
		limit -= n
	}
	return true
}

// LowerPriority lets other processes run first, if the system permits it.
func LowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, os.Getpid(), 10) }

// detached returns attributes that start a process in its own session.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Grouped returns attributes that start a process so that EndGroup also ends its children.
func Grouped() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// EndGroup ends a process that was started with Grouped.
func EndGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// Exec replaces the process with another program. It returns only if that fails.
func Exec(file string, args, env []string) error { return syscall.Exec(file, args, env) }

// Unwritable reports whether err means that the user has no write permission or that the disk is write-protected or
// full.
func Unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) ||
		errors.Is(err, syscall.EDQUOT)
}

// PeerUID returns the user at the other end of conn.
func PeerUID(conn syscall.Conn) (uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	controlled := raw.Control(func(fd uintptr) { uid, err = peerUID(int(fd)) })
	return uid, errors.Join(controlled, err)
}

// NoLocks reports whether err means that a file system does not support locks.
func NoLocks(err error) bool {
	return errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS)
}
