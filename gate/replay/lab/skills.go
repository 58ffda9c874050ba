package lab

import (
	"context"
	"path/filepath"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
)

// Skills is a replay.Finder over the indexes of a session here, or in --library.
type Skills struct {
	byID   map[string]*replay.Found
	byName map[string][]*replay.Found // by name and by folder
}

// Skills reads the skills that a side with a change would have, settings and words aside.
func (m *Lab) Skills(ctx context.Context, f *Change) (*Skills, error) {
	side, err := m.Side(ctx, &Change{Libraries: f.Libraries, With: f.With, Without: f.Without}, 0)
	if err != nil {
		return nil, err
	}
	g, err := side.Open(m.anyPrompt(ctx))
	if err != nil {
		return nil, err
	}
	defer g.Close()
	find := &Skills{byID: map[string]*replay.Found{}, byName: map[string][]*replay.Found{}}
	for doc := range g.Docs {
		x := &replay.Found{ID: doc.ID, Name: doc.Name, Path: doc.Path, Hash: doc.Hash}
		find.byID[x.ID] = x
		find.byName[x.Name] = append(find.byName[x.Name], x)
		if folder := filepath.Base(filepath.Dir(x.Path)); x.Path != "" && folder != x.Name {
			find.byName[folder] = append(find.byName[folder], x)
		}
	}
	return find, nil
}

// ByID finds a skill by its id, nil where there is none.
func (s *Skills) ByID(id string) *replay.Found { return s.byID[id] }

// ByUse finds the skill that was used, nil where it is not here.
func (s *Skills) ByUse(_ string, u journal.Outcome) *replay.Found {
	for _, x := range s.byName[u.Skill] {
		if journal.SameUse(x.Name, x.Path, u.Skill, u.Path) {
			return x
		}
	}
	for _, x := range s.byID {
		if journal.SameUse(x.Name, x.Path, u.Skill, u.Path) {
			return x
		}
	}
	return nil
}
