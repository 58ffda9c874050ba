// Package golden compares results of tests with files that hold the expected results. `go test -update` rewrites the
// files. Only tests import it.
package golden

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// Update is set by -update: tests write their results to the files instead of comparing.
var Update = flag.Bool("update", false, "rewrite the files of expected test results")

// Check fails t if got differs from the content of file. With -update it writes got to file.
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
		t.Errorf("the result differs from %s; -update rewrites the file:\n%s", file, diff.Diff(file, want, "now", got))
	}
}

// Write writes got to file. It is for tests that do the comparison themselves.
func Write(t testing.TB, file string, got []byte) {
	t.Helper()
	if err := os.WriteFile(file, got, 0o644); err != nil {
		t.Fatal(err)
	}
}
