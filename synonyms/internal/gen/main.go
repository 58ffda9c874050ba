// Command gen compiles the dictionary into table.bin. It is run by go generate in
// the folder of package synonyms.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/skillgate/skillgate/synonyms/source"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	files, err := source.ReadFiles(os.DirFS("."))
	if err != nil {
		return err
	}
	d, err := source.Parse(files...)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(".", "table.bin"), d.Compile(), 0o644)
}
