package start

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// overrideWrite is the runtime's variable for a replacement of its write function. The linker sets
// it to write, before any code runs.
//
//go:linkname overrideWrite runtime.overrideWrite
var overrideWrite = write

// last holds the beginnings of the messages that the runtime prints before it exits.
var last = [...]string{"fatal", "panic: ", "runtime: ", "SIG", "Signal "}

// started is true once the main package may run. ending is true once the runtime has begun a final message.
var started, ending bool

// buffer is static, because there may be no memory left.
var buffer [64 << 10]byte

const (
	stdin  = 0
	stderr = 2
)

const hint = "skillgate: the Go runtime cannot start\n" +
	"skillgate: hint: if memory is limited, lift the limits with `ulimit -v unlimited` and `ulimit -d unlimited`\n"

func init() { started = true }

// write writes n bytes at p to the file fd and ends the program after the first line of a final
// message. It may run on any stack and before the runtime has memory.
//
//go:nosplit
//go:norace
func write(fd uintptr, p unsafe.Pointer, n int32) int32 {
	text := unsafe.String((*byte)(p), n)
	for _, words := range last {
		ending = ending || fd == stderr && len(text) >= len(words) && text[:len(words)] == words
	}
	written, errno := call(unix.SYS_WRITE, fd, uintptr(p), uintptr(n))
	if ending && n > 0 && text[n-1] == '\n' {
		end()
	}
	if errno != 0 {
		return -int32(errno)
	}
	return int32(written)
}

//go:nosplit
//go:norace
func end() {
	if answersPrompt() {
		in := unix.PollFd{Fd: stdin, Events: unix.POLLIN}
		for range 10_000 { // in case the input never ends
			wait := unix.Timespec{Nsec: 100e6}
			n, errno := call(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&in)), 1, uintptr(unsafe.Pointer(&wait)))
			if errno == 0 && n > 0 {
				n, errno = call(unix.SYS_READ, stdin, uintptr(unsafe.Pointer(&buffer)), uintptr(len(buffer)))
			}
			if errno != 0 || n == 0 {
				break
			}
		}
		call(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	if !started {
		call(unix.SYS_WRITE, stderr, uintptr(unsafe.Pointer(unsafe.StringData(hint))), uintptr(len(hint)))
		call(unix.SYS_EXIT_GROUP, 3, 0, 0)
	}
}

// answersPrompt reports whether the command is hook or observe, or cannot be determined.
//
//go:nosplit
//go:norace
func answersPrompt() bool {
	const file = "/proc/self/cmdline\x00"
	at := unix.AT_FDCWD
	fd, errno := call(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(unsafe.StringData(file))), unix.O_RDONLY)
	if errno != 0 {
		return true
	}
	size, errno := call(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&buffer)), uintptr(len(buffer)))
	call(unix.SYS_CLOSE, fd, 0, 0)
	if errno != 0 {
		return true
	}
	name := uintptr(0)
	for name < size && buffer[name] != 0 {
		name++
	}
	for _, command := range [...]string{"\x00hook\x00", "\x00observe\x00"} {
		if end := name + uintptr(len(command)); end <= size && unsafe.String(&buffer[name], len(command)) == command {
			return true
		}
	}
	return false
}

//go:nosplit
//go:norace
func call(number, a, b, c uintptr) (uintptr, syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(number, a, b, c, 0, 0, 0)
	return r, errno
}
