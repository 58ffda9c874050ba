// Package start guards what happens before the first line of Go runs: a program that
// imports it does not end with status 2, for which the host blocks the prompt, where Go's
// runtime cannot start.
//
// What the runtime does by then, it does without mercy: where there is no address space to
// reserve, and where no thread can be started, it ends with status 2; with millions of
// processors in GOMAXPROCS it fills the memory. So something else must run before it, on
// Linux: in a build with cgo a constructor in C, else the assembly of this package, where
// the linker is told to begin with it:
//
//	go build -ldflags '-E skillgate_start'
//
// Both refuse where a limit of address space (ulimit -v) or data (-d) is too low: hook and
// observe read their input to its end, as a host takes a pipe that is closed early for a
// failure, and exit with status 0; other commands exit with 3 and a message. Else they
// change the variables where the runtime reads them: GOTRACEBACK is crash, an end by
// SIGABRT for what the runtime does not survive, and GOMAXPROCS is empty where it has too
// many digits, which is as many as there are.
package start
