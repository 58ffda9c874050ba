// Command processors prints how many processors Go uses and what the environment says about them,
// and the limits of open files for it and for a process that it starts.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	_ "github.com/skillgate/skillgate/cmd/internal/start"
)

func main() {
	var own syscall.Rlimit
	_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &own)
	child, err := exec.Command("/bin/sh", "-c", "ulimit -Sn; ulimit -Hn").Output()
	fmt.Printf("%d %q %q %d %d %s %v\n", runtime.GOMAXPROCS(0), os.Getenv("GOMAXPROCS"), os.Args[1:],
		own.Cur, own.Max, strings.Join(strings.Fields(string(child)), " "), err)
}
