package gate

import (
	"os"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
)

// Scope describes one index: its name, its folder and the roots of its skills.
type Scope struct {
	Name      string // "shared:…", "project:…", "subfolder:…" or "fetched:…"; determines Dir (see index.Dir)
	Label     string // name for users: "shared", the project's folder, or the library's label
	Reference string // entry of a fetched library in the setting libraries, or ""
	Dir       string
	Roots     []catalog.Root
}

// Scopes returns the indexes of a session with the given roots: the shared one, the project's if it has one, and one
// for each subfolder and each fetched library.
func Scopes(d dirs.Dirs, roots []catalog.Root) []Scope {
	out := []Scope{sharedScope(d, roots)}
	if project := projectScope(d, roots); project.Name != "" {
		out = append(out, project)
	}
	for _, r := range roots {
		switch {
		case r.Reference != "":
			out = append(out, FetchedScope(d, r))
		case r.Below:
			name := "subfolder:" + r.Path
			out = append(out, Scope{Name: name, Label: r.Path, Dir: index.Dir(d.Cache, name), Roots: []catalog.Root{r}})
		}
	}
	return out
}

func (s Scope) use(below []Subfolder) IndexUse {
	u := IndexUse{Root: s.Label}
	for _, f := range below {
		if f.Path == s.Label {
			u.Below, u.Names = true, f.Names
		}
	}
	return u
}

// FetchedScope returns the scope of a fetched library, which comes with an index.
func FetchedScope(d dirs.Dirs, r catalog.Root) Scope {
	name := "fetched:" + r.Reference
	return Scope{
		Name: name, Label: r.Label, Reference: r.Reference, Dir: index.Dir(d.Cache, name), Roots: []catalog.Root{r},
	}
}

// Shared is the label of the index that all sessions share.
const Shared = "shared"

func sharedScope(d dirs.Dirs, roots []catalog.Root) Scope {
	name := "shared:" + d.Hosts.Name
	s := Scope{Name: name, Label: Shared, Dir: index.Dir(d.Cache, name)}
	for _, r := range roots {
		if !r.Local && r.Reference == "" {
			s.Roots = append(s.Roots, r)
		}
	}
	return s
}

// projectScope returns the scope of the skills that a session's folder adds to the shared ones. It may have no roots.
// Its name lists the folders of skills, so that sessions in different folders of a repository share an index if they
// see the same skills.
func projectScope(d dirs.Dirs, roots []catalog.Root) Scope {
	var s Scope
	var paths []string
	for _, r := range roots {
		if !r.Local || r.Below {
			continue
		}
		if _, err := os.Stat(r.Path); err == nil {
			s.Roots = append(s.Roots, r)
			if r.Source != catalog.Plugin { // the hook does not search for plugins
				paths = append(paths, r.Path)
			}
		}
	}
	if len(paths) == 0 {
		return s
	}
	s.Label = paths[0]
	s.Name = "project:" + strings.Join(paths, "\n")
	s.Dir = index.Dir(d.Cache, s.Name)
	return s
}

// stale reports whether the scope's folders have changed since they were indexed. It does not detect changes inside a
// skill's folder. The gate detects those for the skills that it suggests.
func (s Scope) stale(m *index.Manifest) bool {
	was := make(map[string]int64, len(m.Roots))
	for _, r := range m.Roots {
		// Only the indexing process searches for plugins. For them it records the files that list installed plugins.
		if r.Label == index.Watched || strings.HasPrefix(r.Label, "plugin") {
			if index.StatRoot(catalog.Root{Path: r.Path}).ModTime != r.ModTime {
				return true
			}
			continue
		}
		was[r.Path] = r.ModTime
	}
	for _, r := range s.Roots {
		t, ok := was[r.Path]
		if !ok || index.StatRoot(r).ModTime != t {
			return true
		}
		delete(was, r.Path)
	}
	return len(was) > 0 // any folder that is left is no longer in the settings
}
