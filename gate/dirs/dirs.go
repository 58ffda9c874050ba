// Package dirs says where skillgate keeps its files and, in values that package hooks fills
// in, where the hosts keep theirs.
//
//	Config  $XDG_CONFIG_HOME/skillgate: skillgate.yaml, synonyms.yaml
//	State   $XDG_STATE_HOME/skillgate: journal.jsonl, journal.db, sessions/, expansions
//	Cache   $XDG_CACHE_HOME/skillgate: index/<key>/ of installed skills, libraries/<key>/
//
// Relative values of these variables are ignored, as the XDG specification asks.
// Nothing is created here; whoever writes first creates folders with mode 0700.
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

// Absolute is path, relative to the folder cwd.
func Absolute(cwd, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}

// errNoHome says that neither HOME nor the user database names a home folder.
var errNoHome = errors.New("no home folder: HOME is not set")

// FromEnv reads the environment through getenv. hosts says where the hosts keep their
// files, given the home folder, which may be "", and the environment.
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
