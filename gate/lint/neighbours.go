package lint

import (
	"path/filepath"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/regular"
)

// Around returns a library for checks of only the skills in at. It takes all other skills from the index of r and reads
// the file of such a skill only if a boundary of a skill in at names it.
func Around(r *findable.Retriever, at []*Skill, languages []string) *Library {
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
	for i, d := range r.Docs {
		if d.Dead || mine[d.ID] || r.ByID[d.ID] != uint32(i) {
			continue
		}
		e := catalog.Entry{
			ID: d.ID, Name: d.Name, Path: d.Path, Folder: filepath.Base(filepath.Dir(d.Path)), Pool: catalog.Skill,
			Source: catalog.Source(d.Source), Plugin: d.Plugin, ModelInvocable: d.Offered,
		}
		if (wanted[d.Name] || wanted[e.Folder]) && d.Path != "" {
			if text, err := regular.Read(d.Path, catalog.MaxFile); err == nil {
				full := catalog.Parse(catalog.LibraryRoot(filepath.Dir(filepath.Dir(d.Path))),
					catalog.File{Path: d.Path, Folder: e.Folder}, text)
				e.Triggers, e.Boundaries, e.Description = full.Triggers, full.Boundaries, full.Description
			}
		}
		skills = append(skills, &Skill{Entry: e, Src: source.New(d.Path, ""), Front: &Front{}})
	}
	return NewLibrary(skills, languages)
}
