package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
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

// missReport is what replay --misses --json prints.
type missReport struct {
	Prompts int           `json:"prompts"`
	Known   int           `json:"known"` // of them, with a known use
	Misses  []replay.Miss `json:"misses"`
	Partial bool          `json:"partial"`
}

// missCandidates is how deep --misses looks for the skill that was used.
const missCandidates = 40

func (e *env) replayMisses(ctx context.Context, m *sideMaker, src *replaySource, f *replayFlags) error {
	if len(f.configs) > 0 {
		f.change.config = f.configs[0]
	}
	side, err := m.side(ctx, &f.change, missCandidates)
	if err != nil {
		return err
	}
	find, err := e.finder(ctx, m, &f.change)
	if err != nil {
		return err
	}
	g, err := side.Open(&replay.Prompt{Cwd: e.cwd})
	if err != nil {
		return err
	}
	defer g.Close()
	report := missReport{}
	var misses replay.Misses
	notes := &replay.Notes{}
	logged := &replay.Side{Name: "recorded", Logged: true}
	if !src.logged {
		logged = side
	}
	bar := e.progress("looking for misses", false)
	err = replay.Run(ctx, replay.Job{Source: src.source, Filter: src.filter, A: logged, B: side, Notes: notes, Progress: func(n int) { bar.set(n, max(n, src.total)) }},
		func(r *replay.Result) error {
			report.Prompts++
			if r.Prompt.Known() {
				report.Known++
			}
			misses.Add(r, g)
			return nil
		})
	bar.done()
	if err != nil {
		return err
	}
	report.Misses = misses.List(func(skill string) bool { return find.ByUse("", journal.Outcome{Skill: skill}) != nil })
	report.Partial = notes.Damaged > 0 || len(m.notes) > 0
	entries, err := libraryEntries(f.change.libraries)
	if err != nil {
		return err
	}
	tried := 0
	for i := range report.Misses {
		miss := &report.Misses[i]
		if miss.Proposal == nil {
			continue
		}
		if tried == f.misses {
			miss.Proposal = nil
			continue
		}
		tried++
		if err := e.tryProposal(ctx, src, side, miss, find, entries); err != nil {
			return err
		}
	}
	if f.json {
		enc := json.NewEncoder(e.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(report)
	}
	return printMisses(e, report)
}

// libraryEntries returns the skills of --library files by ID: they have no file
// of their own to read again.
func libraryEntries(paths []string) (map[string]catalog.Entry, error) {
	out := map[string]catalog.Entry{}
	for _, path := range paths {
		list, err := catalog.ReadLibraryFile(path)
		if err != nil {
			continue // a folder: its skills have files
		}
		for _, e := range list {
			out[e.ID] = e
		}
	}
	return out, nil
}

// tryProposal replays the log with the proposed trigger in the skill.
func (e *env) tryProposal(ctx context.Context, src *replaySource, side *replay.Side, miss *replay.Miss, find *skillFinder, entries map[string]catalog.Entry) error {
	found := find.ByUse("", miss.Use())
	if found == nil {
		return nil
	}
	entry, ok := entries[found.ID]
	if !ok {
		list, err := readSkills(ctx, filepath.Dir(found.Path))
		if err != nil {
			miss.Proposal = nil // an agent, or a file that is gone: nothing to add a trigger to
			return nil
		}
		entry = list[0]
	}
	var doc index.Doc
	g, err := side.Open(&replay.Prompt{Cwd: e.cwd})
	if err != nil {
		return err
	}
	docs, err := g.Find(ctx, found.Name)
	if err = errors.Join(err, g.Close()); err != nil {
		return err
	}
	for _, d := range docs {
		if d.ID == found.ID {
			doc = d
		}
	}
	if doc.ID == "" {
		return nil
	}
	entry = replacing(entry, doc)
	entry.Triggers = append([]string{miss.Proposal.Trigger}, entry.Triggers...)
	changed := *side
	changed.Name = "with the trigger"
	below := side.Open
	changed.Open = layered(ctx, func(p *replay.Prompt) (*gate.Gate, error) { return below(p) }, []string{doc.ID}, []catalog.Entry{entry})
	bar := e.progress("trying "+miss.Skill, false)
	defer bar.done()
	return replay.Run(ctx, replay.Job{Source: src.source, Filter: src.filter, A: side, B: &changed, Notes: &replay.Notes{}, Progress: func(n int) { bar.set(n, max(n, src.total)) }},
		func(r *replay.Result) error {
			miss.Proposal.Try(miss, r)
			return nil
		})
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
	bar := e.progress("replaying", false)
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
	bar := e.progress("reproducing", false)
	x, err := replay.Verify(ctx, src.source, src.filter, &replay.Notes{}, side, version().Version, func(n int) { bar.set(n, max(n, src.total)) })
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
