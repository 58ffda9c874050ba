package self

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/skillgate/skillgate/gate/program"
)

// Parts compares the running program with the small one of its installation, which users
// and hosts call, and returns that. Where there is none, called is "". The error says how
// the two differ: by version, by revision, or because one cannot be read.
func Parts() (called string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if called, err = program.Called(); err != nil {
		return "", err
	}
	a, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	if b, err := os.Stat(called); err != nil || os.SameFile(a, b) {
		return "", err
	}
	own, ok := debug.ReadBuildInfo()
	if !ok {
		return "", nil // a test's
	}
	other, err := buildinfo.ReadFile(called)
	if err != nil {
		return called, err
	}
	return called, differ(own, other)
}

// differ says how two builds of skillgate differ; nil where they are of one source.
func differ(own, other *debug.BuildInfo) error {
	switch {
	case own.Main.Path != other.Main.Path:
		return fmt.Errorf("it is built from %s", other.Main.Path)
	case own.Main.Version != other.Main.Version:
		return fmt.Errorf("it is version %s, this is %s", other.Main.Version, own.Main.Version)
	}
	for _, key := range []string{"vcs.revision", "vcs.modified"} {
		if a, b := setting(own, key), setting(other, key); a != b {
			return fmt.Errorf("its %s is %q, this one's %q", key, b, a)
		}
	}
	return nil
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
