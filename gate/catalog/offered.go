package catalog

import (
	"context"
	"slices"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Installed returns the skills that a session in cwd, with library folders, could be offered.
// Files that cannot be read are left out.
func Installed(ctx context.Context, d dirs.Dirs, cwd string, libraries []string) []Entry {
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
	return slices.DeleteFunc(entries, func(e Entry) bool {
		return !e.ModelInvocable || !policy.Allows(e.Name, e.Pool, e.Source, e.Plugin)
	})
}

// Offered names the skills that Installed returns.
func Offered(ctx context.Context, d dirs.Dirs, cwd string, libraries []string) []string {
	return Names(Installed(ctx, d, cwd, libraries))
}

// Names returns the names of entries, in their order.
func Names(entries []Entry) []string {
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Name
	}
	return names
}
