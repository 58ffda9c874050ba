// Command gen compiles the word lists below lang into vocab/table.bin. It is run
// by go generate in the folder of package vocab.
package main

import (
	"fmt"
	"os"

	"github.com/skillgate/skillgate/synonyms/lang/internal/compile"
)

func main() {
	lists, err := compile.Read(os.DirFS(".."))
	if err == nil {
		err = os.WriteFile("table.bin", lists.Table(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
