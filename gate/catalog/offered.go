package catalog

import (
	"context"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Offered names the skills that a session in cwd, with library folders, could be offered.
// Files that cannot be read are left out.
func Offered(ctx context.Context, d dirs.Dirs, cwd string, libraries []string) []string {
	roots, _ := Roots(d, cwd, libraries)
	policy, _ := LoadPolicy(d, cwd)
	files, _ := Files(ctx, roots, nil)
	var entries []Entry
	for _, f := range files {
		if roots[f.Root].Pool != Skill {
			continue
		}
		if entry, err := Read(roots[f.Root], f); err == nil {
			entries = append(entries, entry)
		}
	}
	entries, _ = Precedence(entries)
	var names []string
	for _, entry := range entries {
		if entry.ModelInvocable && policy.Allows(entry.Name, entry.Pool, entry.Source, entry.Plugin) {
			names = append(names, entry.Name)
		}
	}
	return names
}
