// Package lent reads large tables from another program's file. A release has two programs: the small one, which
// answers prompts, embeds the tables, and the complete one is built with the tag lent and reads them from the small
// one when it starts. Without the tag a program embeds its own tables.
package lent

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Files are the paths of the tables in the repository.
var Files = []string{
	"synonyms/table.bin", "synonyms/lang/vocab/table.bin", "gate/neutral/orders.bin", "gate/neutral/orders.model",
	"gate/meaning/table.bin",
}

// Hint tells the user what to do if the programs of an installation do not match.
const Hint = "a part of the installation is missing or damaged; install skillgate again as before " +
	"(with npm, or with ./install.sh in a checkout)"

// places holds the positions of the tables in the small program. The linker sets it to the result of Places.
var places string

const form = "%d,%d,%d" // offset, length and CRC-32 of a table

// Places returns the positions of tables in a program that embeds them. tables are the contents of Files.
func Places(program []byte, tables [][]byte) (string, error) {
	var b strings.Builder
	for i, table := range tables {
		at := bytes.Index(program, table)
		if at < 0 {
			return "", fmt.Errorf("the program does not contain %s", Files[i])
		}
		fmt.Fprintf(&b, "%s="+form+";", Files[i], at, len(table), crc32.ChecksumIEEE(table))
	}
	return b.String(), nil
}

// Table returns a table of Files. If it cannot be read, the process exits: with status 0 in a hook, so that the
// session continues, and with 3 otherwise.
func Table(file string) string {
	program, err := small()
	table := ""
	if err == nil {
		table, err = read(program, places, file)
	}
	if err == nil {
		return table
	}
	if len(os.Args) > 1 && (os.Args[1] == "hook" || os.Args[1] == "observe") {
		os.Exit(0)
	}
	fmt.Fprintf(os.Stderr, "skillgate: %v\nskillgate: hint: %s\n", err, Hint)
	os.Exit(3)
	return ""
}

// small returns the path of the small program, PREFIX/bin/NAME, if PREFIX/lib/skillgate/NAME is running.
func small() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find the running program: %w", err)
	}
	return filepath.Join(filepath.Dir(self), "..", "..", "bin", filepath.Base(self)), nil
}

func read(program, places, file string) (string, error) {
	_, after, _ := strings.Cut(places, file+"=")
	var at, size int64
	var want uint32
	if _, err := fmt.Sscanf(after, form, &at, &size, &want); err != nil {
		return "", fmt.Errorf("this program was built incorrectly (tag lent): it does not know the position of %s", file)
	}
	f, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(int(size))
	sum := crc32.NewIEEE()
	if _, err := io.Copy(io.MultiWriter(&b, sum), io.NewSectionReader(f, at, size)); err != nil {
		return "", err
	}
	if sum.Sum32() != want {
		return "", fmt.Errorf("%s is damaged or from a different version", program)
	}
	return b.String(), nil
}
