package catalog

import (
	"context"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Installed returns the skills that a session in cwd could use, including those in library folders. Skills in the
// subfolders below (see Roots) may share a name with other skills. Files that cannot be read are left out.
func Installed(ctx context.Context, d dirs.Dirs, cwd string, libraries []string, below ...string) []Entry {
	roots, _ := Roots(d, cwd, libraries, below...)
	policy, _ := LoadPolicy(d, cwd)
	files, _ := Files(ctx, roots, nil)
	var entries, nested []Entry
	for _, f := range files {
		root := roots[f.Root]
		if root.Pool == Agent {
			continue
		}
		entry, err := Read(root, f)
		switch {
		case err != nil || !entry.ModelInvocable, // a skill that the model cannot run hides no other skill of its name
			!policy.Allows(entry.Name, entry.Pool, entry.Source, entry.Plugin, entry.Path):
		case root.Below:
			nested = append(nested, entry)
		default:
			entries = append(entries, entry)
		}
	}
	entries, _ = Precedence(entries)
	return append(entries, nested...)
}

// Offered returns the names of the skills that Installed returns.
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
