package observe

import (
	"context"
	"html"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks/transcript"
)

// listed compares the skills that the host has listed since the last turn with those found in files. It returns
// the name of the index that holds the difference, or nil if there is nothing new, and the offset up to which
// the transcript was read.
func (o *observer) listed() (name *string, heard int64) {
	s, err := journal.LoadSession(o.Dirs.State, o.In.SessionID)
	if err != nil || o.In.Host.Listing == nil {
		return nil, s.Heard
	}
	told, fresh := transcript.Listing(o.In.TranscriptPath, s.Heard, s.Begun)
	if !fresh {
		return nil, told.End
	}
	ctx, cancel := context.WithTimeout(context.Background(), observeLimit)
	defer cancel()
	entries, unlisted, err := o.difference(told, s.Subfolders)
	if err != nil {
		return nil, s.Heard // the next turn tries again
	}
	how := workspace.Options{Dirs: o.Dirs, Settings: o.Settings, Now: o.Now}
	built, err := workspace.Listed(ctx, entries, unlisted, how)
	if err != nil {
		return nil, s.Heard
	}
	return &built, told.End
}

// difference returns the skills that the host lists but no file defines, and the names of skills that files
// define but the host does not list.
func (o *observer) difference(told transcript.Told, below []gate.Subfolder) ([]catalog.Entry, []string, error) {
	below = slices.DeleteFunc(below, func(f gate.Subfolder) bool { return strings.HasPrefix(f.Path, gate.Listed) })
	g, err := gate.Open(o.Dirs, o.Cwd, o.Settings, below...)
	if err != nil {
		return nil, nil, err
	}
	defer g.Close()
	offers, err := g.Offers()
	if err != nil {
		return nil, nil, err
	}
	policy, _ := catalog.LoadPolicy(o.Dirs, o.Cwd) // the hook logs errors of the policy
	have, listed := map[string]bool{}, map[string]bool{}
	for _, d := range offers {
		if d.Flags&(index.IsAgent|index.IsLibrary) == 0 {
			have[d.Name] = true
		}
	}
	var entries []catalog.Entry
	for _, s := range told.Skills {
		new := !have[s.Name] && !listed[s.Name] && !o.In.Host.Listing.Comes(s.Name)
		listed[s.Name] = true
		if !new || !policy.Allows(s.Name, catalog.Skill, catalog.Listed, "", "") {
			continue
		}
		e, ok := withFile(g, s.Name)
		if !ok {
			e = catalog.Told(s.Name, html.UnescapeString(s.Text))
		}
		entries = append(entries, e)
	}
	var unlisted []string
	for _, d := range offers {
		if told.Whole && have[d.Name] && !listed[d.Name] && !slices.Contains(unlisted, d.Name) {
			unlisted = append(unlisted, d.Name)
		}
	}
	return entries, unlisted, nil
}

// withFile reads the named skill if it has a paths setting. The host lists such a skill only after a matching
// file was read.
func withFile(g *gate.Gate, name string) (catalog.Entry, bool) {
	docs, err := g.Find(name)
	if err != nil {
		return catalog.Entry{}, false
	}
	for _, d := range docs {
		if d.Flags&index.HasPaths == 0 {
			continue
		}
		file, err := g.Resolve(d.Path)
		if err != nil {
			continue
		}
		text, err := regular.Head(file, catalog.MaxFile+1)
		if err != nil {
			continue
		}
		root := catalog.Root{Pool: catalog.Skill, Source: catalog.Source(d.Source)}
		e := catalog.Parse(root, catalog.File{Path: d.Path, Folder: name, Size: d.Size, ModTime: d.ModTime}, text)
		e.ID, e.Paths = d.ID, nil
		return e, e.ModelInvocable
	}
	return catalog.Entry{}, false
}
