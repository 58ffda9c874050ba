package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/replay"
)

// skillFinder looks up skills in the indexes of a session here, or in --library.
type skillFinder struct {
	byID   map[string]*replay.Found
	byName map[string][]*replay.Found // by name and by folder
}

func newFinder(ctx context.Context, a *app.App, m *sideMaker, f *sideFlags) (*skillFinder, error) {
	side, err := m.side(ctx, &sideFlags{libraries: f.libraries, with: f.with, without: f.without}, 0)
	if err != nil {
		return nil, err
	}
	g, err := side.Open(&replay.Prompt{Cwd: a.Cwd})
	if err != nil {
		return nil, err
	}
	find := &skillFinder{byID: map[string]*replay.Found{}, byName: map[string][]*replay.Found{}}
	for doc := range g.Docs {
		x := &replay.Found{ID: doc.ID, Name: doc.Name, Path: doc.Path, Hash: doc.Hash}
		find.byID[x.ID] = x
		find.byName[x.Name] = append(find.byName[x.Name], x)
		if folder := filepath.Base(filepath.Dir(x.Path)); x.Path != "" && folder != x.Name {
			find.byName[folder] = append(find.byName[folder], x)
		}
	}
	return find, g.Close()
}

// ByID finds a skill by its id, nil where there is none.
func (s *skillFinder) ByID(id string) *replay.Found { return s.byID[id] }

// ByUse finds the skill that was used, nil where it is not here.
func (s *skillFinder) ByUse(_ string, u journal.Outcome) *replay.Found {
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

func writeGold(ctx context.Context, m *sideMaker, src *prompts, f *Options) error {
	a := m.app
	find, err := newFinder(ctx, a, m, &f.change)
	if err != nil {
		return err
	}
	notes := &replay.Notes{}
	w, err := replay.WriteGold(ctx, a.Absolute(f.file), src.source, src.filter, find, notes)
	if err != nil {
		return app.Hint(err, "gold makes a new file; choose a name that is free")
	}
	if f.JSON {
		return json.NewEncoder(a.Stdout).Encode(struct {
			replay.GoldWritten
			Source replay.Notes `json:"source"`
		}{w, *notes})
	}
	fmt.Fprintf(a.Stdout, "%d labelled prompts written to %s\n", w.Labels, f.file)
	fmt.Fprintf(a.Stdout, "left out: %d prompts without a known use, %d without their text; %d uses of skills that are not installed\n",
		w.Unknown, w.NoText, w.Missing)
	return nil
}

// tuneCandidates is how deep tune looks: the largest top_k that it tries, and
// agents beside them.
const tuneCandidates = 20

func proposeThresholds(ctx context.Context, m *sideMaker, src *prompts, f *Options) error {
	e := m.app
	side, err := m.side(ctx, &f.change, tuneCandidates)
	if err != nil {
		return err
	}
	a := side
	if src.logged {
		a = &replay.Side{Name: "recorded", Logged: true}
	}
	bar := e.Progress("replaying", src.ownBar)
	t, err := replay.Tune(ctx, replay.Job{Source: src.source, Filter: src.filter, A: a, B: side, Notes: &replay.Notes{},
		Progress: func(n int) { bar.Set(n, max(n, src.total)) }}, f.keys)
	bar.Done()
	if errors.Is(err, replay.ErrSample) {
		return app.Hint(err, "go on using skills, or add `--from transcripts`; thresholds from fewer prompts would be noise")
	}
	if err != nil {
		return err
	}
	if f.JSON {
		return e.PrintJSON(t)
	}
	return printTuning(e, t)
}

func exact(ctx context.Context, m *sideMaker, src *prompts, f *Options) error {
	a := m.app
	if !src.logged {
		return app.Fail("", "these prompts have no logged decision to reproduce")
	}
	side, err := m.recordedSide()
	if err != nil {
		return err
	}
	bar := a.Progress("reproducing", src.ownBar)
	x, err := replay.Verify(ctx, src.source, src.filter, &replay.Notes{}, side, build.Read().Version,
		func(n int) { bar.Set(n, max(n, src.total)) })
	bar.Done()
	if err != nil {
		return err
	}
	if f.JSON {
		err = a.PrintJSON(x)
	} else {
		err = printExact(a, x)
	}
	if err == nil && x.Different > 0 {
		return app.ErrFindings
	}
	return err
}
