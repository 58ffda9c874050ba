// Package golden keeps what tests expect in files, which `go test -update` rewrites.
// Only tests import it.
package golden

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// Update says that tests write what they see into their files instead of comparing.
var Update = flag.Bool("update", false, "rewrite the files that hold what the tests expect")

// Check fails t where got is not what file holds. With -update it writes got to file.
func Check(t testing.TB, file string, got []byte) {
	t.Helper()
	if *Update {
		Write(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what comes out now; -update rewrites it:\n%s", file, diff.Diff(file, want, "now", got))
	}
}

// Write writes got to file, for tests that compare by themselves.
func Write(t testing.TB, file string, got []byte) {
	t.Helper()
	if err := os.WriteFile(file, got, 0o644); err != nil {
		t.Fatal(err)
	}
}
