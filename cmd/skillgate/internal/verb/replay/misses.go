package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms/source"
)

// missReport is what replay misses --json prints.
type missReport struct {
	Prompts int           `json:"prompts"`
	Known   int           `json:"known"` // of them, with a known use
	Misses  []replay.Miss `json:"misses"`
	Partial bool          `json:"partial"`
}

// missCandidates is how deep misses looks for the skill that was used.
const missCandidates = 40

func findMisses(ctx context.Context, m *sideMaker, src *prompts, f *Options) error {
	a := m.app
	side, err := m.side(ctx, &f.change, missCandidates)
	if err != nil {
		return err
	}
	find, err := newFinder(ctx, a, m, &f.change)
	if err != nil {
		return err
	}
	g, err := side.Open(&replay.Prompt{Cwd: a.Cwd})
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
	bar := a.Progress("looking for misses", src.ownBar)
	err = replay.Run(ctx, replay.Job{Source: src.source, Filter: src.filter, A: logged, B: side, Notes: notes,
		Progress: func(n int) { bar.Set(n, max(n, src.total)) }},
		func(r *replay.Result) error {
			report.Prompts++
			if r.Prompt.Known() {
				report.Known++
			}
			misses.Add(r, g)
			return nil
		})
	bar.Done()
	if err != nil {
		return err
	}
	report.Misses = misses.List(func(skill string) bool { return find.ByUse("", journal.Outcome{Skill: skill}) != nil })
	report.Partial = notes.Damaged > 0 || len(m.notes) > 0
	entries, err := libraryEntries(f.change.libraries)
	if err != nil {
		return err
	}
	on := trial{app: a, maker: m, src: src, flags: &f.change, side: side, find: find, entries: entries}
	tried := 0
	for i := range report.Misses {
		miss := &report.Misses[i]
		if miss.Proposal == nil {
			continue
		}
		if tried == f.tries {
			miss.Proposal = nil
			continue
		}
		tried++
		if err := on.try(ctx, miss); err != nil {
			return err
		}
	}
	if f.JSON {
		return a.PrintJSON(report)
	}
	return printMisses(a, report)
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

// try tries triggers in the skill, then words in the dictionary, on the
// miss's own prompts, and replays the log with what catches most.
func (t *trial) try(ctx context.Context, miss *replay.Miss) error {
	best, caught, err := t.triggers(ctx, miss)
	if err != nil {
		return err
	}
	if caught < len(miss.Prompts) {
		word, more, err := t.synonyms(ctx, miss)
		if err != nil {
			return err
		}
		if more > caught {
			best, miss.Proposal.Trigger = word, ""
		} else {
			miss.Proposal.Synonym = nil
		}
	}
	if best == nil {
		miss.Proposal = nil // other words decide
		return nil
	}
	bar := t.app.Progress("trying "+miss.Skill, t.src.ownBar)
	defer bar.Done()
	job := replay.Job{Source: t.src.source, Filter: t.src.filter, A: t.side, B: best, Notes: &replay.Notes{},
		Progress: func(n int) { bar.Set(n, max(n, t.src.total)) }}
	return replay.Run(ctx, job, func(r *replay.Result) error {
		miss.Proposal.Try(miss, r)
		return nil
	})
}

// trial is what proposals are tried with.
type trial struct {
	app     *app.App
	maker   *sideMaker
	src     *prompts
	flags   *sideFlags
	side    *replay.Side
	find    *skillFinder
	entries map[string]catalog.Entry // of --library files, by ID
}

// caught counts the miss's prompts for which a side names the skill.
func (t *trial) caught(ctx context.Context, miss *replay.Miss, side *replay.Side) (int, error) {
	n := 0
	err := replay.Run(ctx, replay.Job{Source: miss.Source(), A: t.side, B: side, Notes: &replay.Notes{}},
		func(r *replay.Result) error {
			if miss.Named(r) {
				n++
			}
			return nil
		})
	return n, err
}

// triggers returns the side with the trigger that catches most, nil for none.
func (t *trial) triggers(ctx context.Context, miss *replay.Miss) (best *replay.Side, most int, err error) {
	entry, ok, err := t.entry(ctx, miss)
	if !ok || err != nil {
		return nil, 0, err
	}
	for _, trigger := range miss.Proposal.Triggers() {
		e, err := withTrigger(entry, trigger)
		if err != nil {
			return nil, 0, err
		}
		side := *t.side
		side.Name, side.Open = "with the trigger", layered(ctx, t.side.Open, []string{e.ID}, []catalog.Entry{e}, lint.Risk)
		n, err := t.caught(ctx, miss, &side)
		if err != nil {
			return nil, 0, err
		}
		if n > most {
			best, most, miss.Proposal.Trigger = &side, n, trigger
		}
	}
	return best, most, nil
}

// withTrigger is a skill whose description ends with one more trigger, read as if
// its file said so.
func withTrigger(e catalog.Entry, trigger string) (catalog.Entry, error) {
	front := map[string]string{"name": e.Folder,
		"description": e.Description + fmt.Sprintf(" Use when the user says \"%s\".", strings.ReplaceAll(trigger, `"`, "'"))}
	if e.WhenToUse != "" {
		front["when_to_use"] = e.WhenToUse
	}
	text, err := yaml.Marshal(front)
	if err != nil {
		return e, fmt.Errorf("trigger of %s: %w", e.Name, err)
	}
	n := catalog.Parse(catalog.Root{Source: catalog.Personal, Pool: catalog.Skill, Label: "with"},
		catalog.File{Path: e.Path, Folder: e.Folder},
		[]byte("---\n"+string(text)+"---\n"+e.Body))
	n.ID, n.Name, n.Path, n.Plugin, n.Source, n.Folder = e.ID, e.Name, e.Path, e.Plugin, e.Source, e.Folder
	n.Hash, n.ModelInvocable, n.Paths = e.Hash, e.ModelInvocable, e.Paths // its expansions are found by the hash
	return n, nil
}

// entry reads the skill of a miss; false for an agent or a file that is gone,
// which no trigger can be added to.
func (t *trial) entry(ctx context.Context, miss *replay.Miss) (catalog.Entry, bool, error) {
	found := t.find.ByUse("", miss.Use())
	if found == nil {
		return catalog.Entry{}, false, nil
	}
	entry, ok := t.entries[found.ID]
	if !ok {
		list, err := readSkills(ctx, filepath.Dir(found.Path))
		if err != nil || filepath.Base(found.Path) != "SKILL.md" {
			return catalog.Entry{}, false, nil
		}
		entry = list[0]
	}
	g, err := t.side.Open(&replay.Prompt{Cwd: t.app.Cwd})
	if err != nil {
		return entry, false, err
	}
	docs, err := g.Find(found.Name)
	if err = errors.Join(err, g.Close()); err != nil {
		return entry, false, err
	}
	for _, doc := range docs {
		if doc.ID == found.ID {
			return replacing(entry, doc), true, nil
		}
	}
	return entry, false, nil
}

// synonyms returns the side with the word that catches most, nil for none.
func (t *trial) synonyms(ctx context.Context, miss *replay.Miss) (best *replay.Side, most int, err error) {
	if t.flags.synonyms != "" {
		return nil, 0, nil // a dictionary is on trial already
	}
	for _, s := range miss.Proposal.Synonyms() {
		text, err := app.ReadDictText(workspace.DictFile(t.maker.dirs))
		if err != nil {
			return nil, 0, err
		}
		text, err = source.Add(source.File{Name: "synonyms.yaml", Data: text}, source.Entry{Head: s.Word,
			Senses: []string{s.En}})
		if err != nil {
			continue // no word that a dictionary takes
		}
		file := filepath.Join(t.maker.tmp, "try.yaml")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, 0, err
		}
		flags := *t.flags
		flags.synonyms = file
		side, err := t.maker.side(ctx, &flags, missCandidates)
		if err != nil {
			return nil, 0, err
		}
		n, err := t.caught(ctx, miss, side)
		if err != nil {
			return nil, 0, err
		}
		if n > most {
			best, most, miss.Proposal.Synonym = side, n, &s
		}
	}
	return best, most, nil
}
