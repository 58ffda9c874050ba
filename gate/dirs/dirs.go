// Package dirs locates skillgate's files and, with values from package hooks, the hosts' files.
//
//	Config  $XDG_CONFIG_HOME/skillgate: skillgate.yaml, synonyms.yaml
//	State   $XDG_STATE_HOME/skillgate: journal.jsonl, journal.db, sessions/, expansions
//	Cache   $XDG_CACHE_HOME/skillgate: index/<key>/ of installed skills, libraries/<key>/
//
// Relative values of these variables are ignored, as the XDG specification demands. The package creates nothing; the
// first writer creates folders with mode 0700.
package dirs

import (
	"errors"
	"os/user"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/system"
)

// Dirs holds absolute paths.
type Dirs struct {
	Home   string
	Config string
	State  string
	Cache  string
	Hosts  Hosts
}

// Absolute returns path, which may be relative to cwd, as an absolute path.
func Absolute(cwd, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}

var errNoHome = errors.New("no home folder: HOME is not set")

// FromEnv reads the environment through getenv. hosts returns the places of the hosts' files for a home folder, which
// may be "".
func FromEnv(getenv func(string) string, hosts func(home string, getenv func(string) string) Hosts) (Dirs, error) {
	home := getenv(system.Home)
	if !filepath.IsAbs(home) {
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	abs := func(key, def string) string {
		if v := getenv(key); filepath.IsAbs(v) {
			return filepath.Clean(v)
		}
		if home == "" {
			return ""
		}
		return filepath.Join(home, def)
	}
	under := func(base string) string {
		if base == "" {
			return ""
		}
		return filepath.Join(base, "skillgate")
	}
	d := Dirs{
		Home:   home,
		Config: under(abs("XDG_CONFIG_HOME", ".config")),
		State:  under(abs("XDG_STATE_HOME", ".local/state")),
		Cache:  under(abs("XDG_CACHE_HOME", ".cache")),
		Hosts:  hosts(home, getenv),
	}
	if d.Hosts.Name == "" || d.State == "" || d.Cache == "" || d.Config == "" {
		return d, errNoHome
	}
	return d, nil
}
