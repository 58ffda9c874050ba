// Package libraryfile reads library files, which hold one skill per line.
package libraryfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Read reads a library file, gzipped or not: see catalog.ReadJSONL.
func Read(file string) ([]catalog.Entry, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	defer f.Close()
	in, err := Unpacked(f)
	if err != nil {
		return nil, fmt.Errorf("catalog: %s: %w", file, err)
	}
	return catalog.ReadJSONL(in, file)
}

// Unpacked returns a reader of the content of r and decompresses it if it is gzipped.
func Unpacked(r io.Reader) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	magic, err := in.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return gzip.NewReader(in)
	}
	return in, nil
}
