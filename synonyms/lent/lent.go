// Package lent gives a program the large tables that it does not carry. Of a release's two
// programs the small one carries them, where a prompt finds them at no cost. The complete one
// is built with the tag lent and reads them from the small one's file when it starts. What is
// built without the tag carries its own.
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

// Files are the tables, as they are called in the repository.
var Files = []string{
	"synonyms/table.bin", "synonyms/lang/vocab/table.bin", "gate/neutral/orders.bin", "gate/neutral/orders.model",
	"gate/meaning/table.bin",
}

// Hint says what to do where a program of an installation does not fit the other.
const Hint = "a part of the installation is missing or damaged; install skillgate again, as you did " +
	"(npm, or ./install.sh of the checkout)"

// places says where the tables are in the small program; the linker sets it to what Places returns.
var places string

const form = "%d,%d,%d" // offset, length and CRC-32 of a table

// Places returns where the tables, which are those of Files in their order, are in a program
// that carries them.
func Places(program []byte, tables [][]byte) (string, error) {
	var b strings.Builder
	for i, table := range tables {
		at := bytes.Index(program, table)
		if at < 0 {
			return "", fmt.Errorf("the program does not carry %s", Files[i])
		}
		fmt.Fprintf(&b, "%s="+form+";", Files[i], at, len(table), crc32.ChecksumIEEE(table))
	}
	return b.String(), nil
}

// Table returns a table of Files. Where it cannot be had, the process ends: with 0 where a host
// waits for it, so that the session goes on, and with 3 otherwise.
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

// small returns the small program of the installation whose complete one runs: PREFIX/bin/NAME of
// PREFIX/lib/skillgate/NAME.
func small() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	return filepath.Join(filepath.Dir(self), "..", "..", "bin", filepath.Base(self)), nil
}

func read(program, places, file string) (string, error) {
	_, after, _ := strings.Cut(places, file+"=")
	var at, size int64
	var want uint32
	if _, err := fmt.Sscanf(after, form, &at, &size, &want); err != nil {
		return "", fmt.Errorf("built with the tag lent, and not told where %s is", file)
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
		return "", fmt.Errorf("%s is of another version or damaged", program)
	}
	return b.String(), nil
}
