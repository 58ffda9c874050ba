package lint

import (
	"path/filepath"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint/source"
)

// Around returns a library for checks of only the skills in at. It takes all other skills from the index of r.
func Around(r *findable.Retriever, at []*Skill, languages []string) *Library {
	mine := map[string]bool{}
	for _, s := range at {
		mine[s.ID] = true
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
		skills = append(skills, &Skill{Entry: e, Src: source.New(d.Path, ""), Front: &Front{}})
	}
	return NewLibrary(skills, languages)
}
