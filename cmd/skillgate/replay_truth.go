package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/replay"
)

// skillFinder looks up skills in the indexes of a session here, or in --library.
type skillFinder struct {
	byID   map[string]*replay.Found
	byName map[string][]*replay.Found // by name and by folder
}

func (e *env) finder(ctx context.Context, m *sideMaker, f *sideFlags) (*skillFinder, error) {
	side, err := m.side(ctx, &sideFlags{libraries: f.libraries, with: f.with, without: f.without}, 0)
	if err != nil {
		return nil, err
	}
	g, err := side.Open(&replay.Prompt{Cwd: e.cwd})
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

func (s *skillFinder) ByID(id string) *replay.Found { return s.byID[id] }

func (s *skillFinder) ByUse(_ string, u journal.Outcome) *replay.Found {
	for _, x := range s.byName[u.Skill] {
		if store.SameUse(x.Name, x.Path, u.Skill, u.Path) {
			return x
		}
	}
	for _, x := range s.byID {
		if store.SameUse(x.Name, x.Path, u.Skill, u.Path) {
			return x
		}
	}
	return nil
}

func (e *env) replayGold(ctx context.Context, m *sideMaker, src *replaySource, f *replayFlags) error {
	find, err := e.finder(ctx, m, &f.change)
	if err != nil {
		return err
	}
	notes := &replay.Notes{}
	w, err := replay.WriteGold(ctx, e.absolute(f.gold), src.source, src.filter, find, notes)
	if err != nil {
		return &exitError{code: 3, err: fmt.Errorf("--gold: %w", err), hint: "--gold makes a new file; choose a name that is free"}
	}
	if f.json {
		return json.NewEncoder(e.stdout).Encode(struct {
			replay.GoldWritten
			Source replay.Notes `json:"source"`
		}{w, *notes})
	}
	fmt.Fprintf(e.stdout, "%d labelled prompts written to %s\n", w.Labels, f.gold)
	fmt.Fprintf(e.stdout, "left out: %d prompts without a known use, %d without their text; %d uses of skills that are not installed\n", w.Unknown, w.NoText, w.Missing)
	return nil
}

// tuneCandidates is how deep --tune looks: the largest top_k that it tries, and
// agents beside them.
const tuneCandidates = 20

func (e *env) replayTune(ctx context.Context, m *sideMaker, src *replaySource, f *replayFlags) error {
	if len(f.configs) > 0 {
		f.change.config = f.configs[0]
	}
	side, err := m.side(ctx, &f.change, tuneCandidates)
	if err != nil {
		return err
	}
	a := side
	if src.logged {
		a = &replay.Side{Name: "recorded", Logged: true}
	}
	bar := e.progress("replaying", src.ownBar)
	t, err := replay.Tune(ctx, replay.Job{Source: src.source, Filter: src.filter, A: a, B: side, Notes: &replay.Notes{}, Progress: func(n int) { bar.set(n, max(n, src.total)) }}, f.keys())
	bar.done()
	if errors.Is(err, replay.ErrSample) {
		return &exitError{code: 3, err: err, hint: "go on using skills, or add `--from transcripts`; thresholds from fewer prompts would be noise"}
	}
	if err != nil {
		return err
	}
	if f.json {
		enc := json.NewEncoder(e.stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(t)
	}
	return printTuning(e, t)
}

func (e *env) replayExact(ctx context.Context, m *sideMaker, src *replaySource, f *replayFlags) error {
	if !src.logged {
		return &exitError{code: 3, err: errors.New("--exact: these prompts have no logged decision to reproduce")}
	}
	side, err := m.recordedSide()
	if err != nil {
		return err
	}
	bar := e.progress("reproducing", src.ownBar)
	x, err := replay.Verify(ctx, src.source, src.filter, &replay.Notes{}, side, build.Read().Version, func(n int) { bar.set(n, max(n, src.total)) })
	bar.done()
	if err != nil {
		return err
	}
	if f.json {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(x)
	} else {
		err = printExact(e, x)
	}
	if err == nil && x.Different > 0 {
		return &exitError{code: 1}
	}
	return err
}
