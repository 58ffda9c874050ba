package enrich

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const maxLine = 1 << 20 // bytes; a hundred phrases of 200 Hangul syllables take 60 KB

// lines calls yield with every line that is not blank, without its line break. The line is valid until yield returns.
func lines(r io.Reader, yield func(n int, line []byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	n := 1
	for ; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		if err := yield(n, in.Bytes()); err != nil {
			return err
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d has more than %d bytes", n, maxLine)
	}
	return in.Err()
}
