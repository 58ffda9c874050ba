// Command gen writes table.bin in the working folder, for go generate. Its argument is "words" in the
// folder of package synonyms, for the dictionary, or "lists" in the folder of package vocab, for the word lists.
package main

import (
	"fmt"
	"os"

	"github.com/skillgate/skillgate/synonyms/internal/compile"
	"github.com/skillgate/skillgate/synonyms/source"
)

func main() {
	table := words
	if os.Args[1] == "lists" {
		table = lists
	}
	data, err := table()
	if err == nil {
		err = os.WriteFile("table.bin", data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func lists() ([]byte, error) {
	l, err := compile.Read(os.DirFS(".."))
	if err != nil {
		return nil, err
	}
	return l.Table(), nil
}

func words() ([]byte, error) {
	files, err := source.ReadFiles(os.DirFS("."))
	if err != nil {
		return nil, err
	}
	d, err := source.Parse(files...)
	if err != nil {
		return nil, err
	}
	return d.Compile(), nil
}
