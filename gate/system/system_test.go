package system

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOnPath(t *testing.T) {
	dir := t.TempDir()
	one, two, folder := filepath.Join(dir, "one"), filepath.Join(dir, "two"), filepath.Join(dir, "folder")
	if err := errors.Join(os.Mkdir(one, 0o700), os.Mkdir(two, 0o700), os.MkdirAll(filepath.Join(folder, "tool"+Program), 0o700),
		os.WriteFile(filepath.Join(one, "tool"), nil, 0o600), os.WriteFile(filepath.Join(two, "tool"+Program), nil, 0o700)); err != nil {
		t.Fatal(err)
	}
	join := func(folders ...string) (path string) {
		for _, folder := range folders {
			path += folder + string(os.PathListSeparator)
		}
		return path
	}
	// On Windows a file without an ending is no program, and the ending need not be said.
	if got, want := OnPath("tool", join(folder, one, two)), filepath.Join(two, "tool"+Program); got != want {
		t.Errorf("OnPath(tool) = %q, want %q", got, want)
	}
	if got := OnPath("tool", join(folder, one)); got != "" {
		t.Errorf("OnPath(tool) = %q, want none: one may not be run, one is a folder", got)
	}
	if file := filepath.Join(two, "tool"+Program); Executable(file) != file {
		t.Errorf("Executable(%q) = %q, want the same", file, Executable(file))
	}
}
