package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
	"github.com/skillgate/skillgate/gate/clip"
)

const maxLine = 64 << 20 // bytes; the largest record of the public sets is under 2 MB

func eachLine(name string, r io.Reader, fn func(line int, text []byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 1<<16), maxLine)
	line := 0
	for in.Scan() {
		line++
		text := in.Bytes()
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		if err := fn(line, text); err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	if err := in.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("the line is longer than %d bytes", maxLine)
		}
		return fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	return nil
}

// EachLine calls fn with each non-blank line of file, which may be gzip, and its number, counted from 1. It adds file
// and line to all errors, including errors from fn.
func EachLine(file string, fn func(line int, text []byte) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := libraryfile.Unpacked(f)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return eachLine(file, r, fn)
}

func object(text []byte, into any) error {
	if text[0] != '{' {
		return fmt.Errorf("must be a JSON object, not %s", quoted(text))
	}
	return plainJSON(json.Unmarshal(text, into))
}

func plainJSON(err error) error {
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("field %q has the wrong type: %s", te.Field, te.Value)
	}
	if err != nil {
		return fmt.Errorf("not JSON: %s", err)
	}
	return nil
}

func quoted(text []byte) string {
	const show = 40
	if len(text) > show {
		return fmt.Sprintf("%q…", clip.Bytes(string(text), show))
	}
	return fmt.Sprintf("%q", text)
}
