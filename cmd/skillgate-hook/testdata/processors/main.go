// Command processors prints how many processors Go uses and what the environment says about them.
package main

import (
	"fmt"
	"os"
	"runtime"

	_ "github.com/skillgate/skillgate/cmd/internal/start"
)

func main() { fmt.Printf("%d %q %q\n", runtime.GOMAXPROCS(0), os.Getenv("GOMAXPROCS"), os.Args[1:]) }
