package gate

import (
	"os"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
)

// Scope is one index: where it is and which roots it is made of.
type Scope struct {
	Name      string // "shared:…", "project:…", "subfolder:…" or "fetched:…"; what index.Dir is made from
	Label     string // how people are shown it: "shared", the project's folder, or the library's label
	Reference string // of a fetched library: its entry in the settings
	Dir       string
	Roots     []catalog.Root
}

// Scopes are the indexes of a session with these roots: the shared one, that of the project
// where there is one, and one for each subfolder and each fetched library.
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

// FetchedScope is a library from elsewhere: its index comes along with it, and could not if
// it were one with the user's skills.
func FetchedScope(d dirs.Dirs, r catalog.Root) Scope {
	name := "fetched:" + r.Reference
	return Scope{
		Name: name, Label: r.Label, Reference: r.Reference, Dir: index.Dir(d.Cache, name), Roots: []catalog.Root{r},
	}
}

// Shared is the label of the index that does not depend on the folder of a session.
const Shared = "shared"

// sharedScope is everything else that is in it.
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

// projectScope is what a session's folder adds; it has no roots where there is
// nothing. Its name holds every folder, so that sessions in different folders of
// one repository that see the same skills share an index.
func projectScope(d dirs.Dirs, roots []catalog.Root) Scope {
	var s Scope
	var paths []string
	for _, r := range roots {
		if !r.Local || r.Below {
			continue
		}
		if _, err := os.Stat(r.Path); err == nil {
			s.Roots = append(s.Roots, r)
			if r.Source != catalog.Plugin { // the hook does not look for those
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

// stale reports whether the scope's folders are not as the index found them.
// Edits inside a skill's folder do not show here; Gate notices those of the
// skills it names.
func (s Scope) stale(m *index.Manifest) bool {
	was := make(map[string]int64, len(m.Roots))
	for _, r := range m.Roots {
		// Plugins are listed by the builder alone, which watches the files that say what there is.
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
	return len(was) > 0 // what is left was taken out of the settings
}
