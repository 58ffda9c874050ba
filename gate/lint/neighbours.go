package lint

import (
	"path/filepath"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/regular"
)

// Around makes a library of the skills at hand and of what the index knows about
// all others, without reading their files: enough to check the skills at hand.
// Only the neighbours that their boundaries name are read.
func Around(r *Retriever, at []*Skill, languages []string) *Library {
	mine := map[string]bool{}
	wanted := map[string]bool{}
	for _, s := range at {
		mine[s.ID] = true
		for _, b := range s.Boundaries {
			for _, use := range b.Use {
				wanted[use] = true
			}
		}
	}
	skills := append([]*Skill{}, at...)
	for i, d := range r.docs {
		if d.dead || mine[d.id] || r.byID[d.id] != uint32(i) {
			continue
		}
		e := catalog.Entry{
			ID: d.id, Name: d.name, Path: d.path, Folder: filepath.Base(filepath.Dir(d.path)), Pool: catalog.Skill,
			Source: catalog.Source(d.source), Plugin: d.plugin, ModelInvocable: d.offered,
		}
		if (wanted[d.name] || wanted[e.Folder]) && d.path != "" {
			if text, err := regular.Read(d.path, catalog.MaxFile); err == nil {
				full := catalog.Parse(catalog.LibraryRoot(filepath.Dir(filepath.Dir(d.path))), catalog.File{Path: d.path, Folder: e.Folder}, text)
				e.Triggers, e.Boundaries, e.Description = full.Triggers, full.Boundaries, full.Description
			}
		}
		skills = append(skills, &Skill{Entry: e, Src: NewSource(d.path, ""), Front: &Front{}})
	}
	l := NewLibrary(skills, languages)
	l.Families(r)
	return l
}
