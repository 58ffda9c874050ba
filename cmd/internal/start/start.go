// Package start keeps Go's runtime from ending the program with status 2, which makes the host
// block the prompt. A program gets the protection by importing the package.
//
// The runtime writes a message before it exits with 2: when memory or threads are refused, on a
// signal such as SIGQUIT, and on a panic. On Linux the package sees these messages before they are
// written, from the runtime's first instruction on and in any environment. For hook and observe,
// the first such message ends the program with status 0, after the program has read its input,
// because a host treats a pipe that is closed early as a failure. Other commands
// end with status 3 and a hint if the runtime cannot start, and by SIGABRT later. On other
// systems all commands end by SIGABRT, once the package is initialised.
//
// The package also has an entry point for Linux on amd64 and arm64, which the linker uses on
// request:
//
//	go build -ldflags '-E skillgate_start'
//
// For hook it saves about a tenth of the time that an answer takes:
//
//   - Timers may be ten milliseconds late, so that the runtime's own threads sleep through the answer.
//   - There is one processor unless GOMAXPROCS says otherwise, so that the runtime starts fewer threads.
//   - No file can be opened until the package is initialised, so that the runtime does not search the
//     control groups for a number of processors that it does not need. If GOMEMLIMIT is set, files can be
//     opened, because the collector may start earlier and its timers need a file.
//   - Allocations are not sampled.
//
// For any command it empties a GOMAXPROCS of more than three digits, which would make the runtime exhaust the memory.
package start

import (
	"os"

	_ "github.com/skillgate/skillgate/cmd/internal/start/stack"
	"github.com/skillgate/skillgate/gate/system"
)

// one is the value of GOMAXPROCS that the entry point adds; no caller would write the leading zero.
const one = "01"

func init() {
	system.AbortOnFatal()
	if os.Getenv("GOMAXPROCS") == one {
		_ = os.Unsetenv("GOMAXPROCS") // so that child processes of `skillgate hook` can use all processors
	}
}
