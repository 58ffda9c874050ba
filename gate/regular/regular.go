// Package regular opens regular files only. Reading a named pipe would block until something writes to it, and a device
// may never end. Cloned repositories may contain such files without the user's knowledge.
package regular

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/skillgate/skillgate/gate/system"
)

// Open opens file for reading and follows links. It fails unless file is a regular file, and never blocks.
func Open(file string) (*os.File, error) { return OpenFile(file, os.O_RDONLY, 0) }

// OpenFile is like Open, with the flags and the mode of os.OpenFile.
func OpenFile(file string, flag int, mode fs.FileMode) (*os.File, error) {
	f, _, err := open(file, flag, mode)
	return f, err
}

// open is like OpenFile and also returns the size of the file.
func open(file string, flag int, mode fs.FileMode) (f *os.File, size int64, err error) {
	f, err = system.OpenFile(file, flag|system.NonBlock|system.NoCTTY, mode)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	// On a regular file SetReadDeadline fails. It succeeds for pollable files, such as /proc/kmsg, whose mode wrongly
	// says regular.
	if err == nil && (!info.Mode().IsRegular() || info.Size() == 0 && f.SetReadDeadline(time.Time{}) == nil) {
		err = fmt.Errorf("%s: %w", file, ErrNotRegular)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Map maps a regular file into memory, read-only, and returns nil for an empty one. If the file is truncated later,
// reading beyond its end causes a memory fault.
func Map(file string) ([]byte, error) {
	f, size, err := open(file, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size == 0 {
		return nil, nil
	}
	return system.Map(f, size)
}

// ErrNotRegular means that a path is a folder, pipe, device or socket.
var ErrNotRegular = errors.New("not a regular file")

// ErrOutside means that a link leads out of its folder.
var ErrOutside = errors.New("a symbolic link that leads outside its folder is not followed")

// Resolve returns file with its links followed, or ErrOutside if the result is not in the folder within: links of a
// cloned repository must not lead out of it. If within is empty, Resolve returns file unchanged.
func Resolve(within, file string) (string, error) {
	if within == "" {
		return file, nil
	}
	if _, err := os.Stat(file); err != nil { // most files do not exist, and EvalSymlinks is slow
		return "", err
	}
	to, err := filepath.EvalSymlinks(file)
	if err != nil {
		return "", err
	}
	top, err := filepath.EvalSymlinks(within)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(top, to); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s: %w (%s)", file, ErrOutside, within)
	}
	return to, nil
}

// Reason returns err without the operation and the path.
func Reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// Read returns the content of a regular file. It fails if the file has more than max bytes.
func Read(file string, max int64) ([]byte, error) {
	text, err := Head(file, max+1)
	if err == nil && int64(len(text)) > max {
		return nil, fmt.Errorf("%s has more than %d bytes", file, max)
	}
	return text, err
}

// Head returns the first n bytes of a regular file, or all of a shorter one.
func Head(file string, n int64) ([]byte, error) {
	f, size, err := open(file, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, min(size, n-1)+1) // one byte more than size, to detect the end
	switch read, err := io.ReadFull(f, text); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return text[:read], nil
	case err != nil || int64(read) == n:
		return text[:read], err
	}
	rest, err := io.ReadAll(io.LimitReader(f, n-size-1)) // the file has grown, or is in /proc, where sizes are 0
	return append(text, rest...), err
}

// SHA256 returns the checksum of a regular file in hexadecimal.
func SHA256(file string) (string, error) {
	f, err := Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
