// Package start guards what happens before the first line of Go runs: a program that
// imports it does not end with status 2, for which the host blocks the prompt, where Go's
// runtime cannot start.
//
// The runtime cannot be told otherwise by then: where it can reserve no address space or start
// no thread, it exits with status 2, and with millions of processors in GOMAXPROCS it fills
// the memory. So something else must run first. On Linux that is a constructor in C in a build
// with cgo, else the assembly of this package, if the linker is told to begin with it:
//
//	go build -ldflags '-E skillgate_start'
//
// Both refuse where a limit of address space (ulimit -v) or data (-d) is too low: hook and
// observe read their input to its end, as a host takes a pipe that is closed early for a
// failure, and exit with status 0; other commands exit with 3 and a message. Otherwise
// they change the variables that the runtime reads: GOTRACEBACK becomes crash, so that what the
// runtime does not survive ends by SIGABRT, and a GOMAXPROCS with too many digits becomes empty,
// which means as many processors as there are.
//
// The assembly also gives the hook's timers, and those of what it starts, slack: the runtime's
// own threads then wake up a tenth as often.
package start
