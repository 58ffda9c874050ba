package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skillgate/skillgate/gate/system/systemtest"
)

func TestReadRefusesWhatIsNotARegularFile(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	require.NoError(t, systemtest.Mkfifo(pipe))
	require.NoError(t, os.Symlink(pipe, link))
	for _, file := range []string{pipe, link, dir, "/dev/zero", "/dev/tty"} {
		done := make(chan error, 1)
		go func() {
			_, err := Read(file, 10)
			done <- err
		}()
		select {
		case err := <-done:
			assert.Error(t, err, "Read(%s): no error", file)
		case <-time.After(10 * time.Second):
			t.Errorf("Read(%s) waits", file)
		}
	}
}

func TestReadBoundsWhatItReads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("0123456789"), 0o600))
	if text, err := Read(file, 10); string(text) != "0123456789" || err != nil {
		t.Errorf("Read(10 of 10 bytes) = %q, %v", text, err)
	}
	text, err := Read(file, 9)
	assert.ErrorContains(t, err, "more than 9 bytes", string(text))
	if text, err := Head(file, 9); string(text) != "012345678" || err != nil {
		t.Errorf("Head(9 of 10 bytes) = %q, %v", text, err)
	}
	if text, err := Read("/proc/self/status", 1<<20); err == nil && !strings.HasPrefix(string(text), "Name:") {
		t.Errorf("Read(a file that has no size) = %q", text)
	}
	_, err = Read(file+"x", 9)
	assert.True(t, os.IsNotExist(err), "Read(nothing) = %v, want %v", err, fs.ErrNotExist)
}

// A file system may report the largest possible size for an empty file.
func TestReadOfTheLargestFile(t *testing.T) {
	for _, dir := range []string{t.TempDir(), "/dev/shm"} {
		f, err := os.CreateTemp(dir, "")
		if err != nil {
			continue
		}
		defer os.Remove(f.Name())
		defer f.Close()
		if f.Truncate(math.MaxInt64) != nil {
			continue
		}
		if text, err := Head(f.Name(), 9); len(text) != 9 || err != nil {
			t.Errorf("Head = %q, %v, want nine bytes", text, err)
		}
		_, err = Read(f.Name(), 9)
		assert.ErrorContains(t, err, "more than 9 bytes")
		return
	}
	t.Skip("no file system here has such a file")
}

func TestSHA256(t *testing.T) {
	file := filepath.Join(t.TempDir(), "abc")
	require.NoError(t, os.WriteFile(file, []byte("abc"), 0o600))
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2, B.1
	if got, err := SHA256(file); err != nil || got != want {
		t.Errorf("SHA256(abc) = %s, %v, want %s", got, err, want)
	}
	_, err := SHA256(filepath.Dir(file))
	assert.Error(t, err, "a folder has a checksum")
}

func TestReasonHasNoPath(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(filepath.Join(dir, "none"))
	if got := Reason(fmt.Errorf("read: %w", err)); !errors.Is(got, fs.ErrNotExist) || strings.Contains(got.Error(), dir) {
		t.Errorf("Reason = %v, want no path in it", got)
	}
	if other := errors.New("tea"); Reason(other) != other {
		t.Error("an error without a path is changed")
	}
}
