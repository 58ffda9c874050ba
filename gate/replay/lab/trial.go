package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms/source"
	"gopkg.in/yaml.v3"
)

// Candidates is how deep a trial looks for the skill that was used.
const Candidates = 40

// libraryEntries returns the skills of library files by ID: they have no file
// of their own to read again.
func libraryEntries(paths []string) map[string]catalog.Entry {
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
	return out
}

// Try tries triggers in the skill, then words in the dictionary, on the
// miss's own prompts, and replays the log with what catches most.
func (t *Trial) Try(ctx context.Context, miss *replay.Miss) error {
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
	job := t.Job
	job.B, job.Notes = best, &replay.Notes{}
	return replay.Run(ctx, job, func(r *replay.Result) error {
		miss.Proposal.Try(miss, r)
		return nil
	})
}

// Trial tries what would have caught a miss.
type Trial struct {
	Lab    *Lab
	Job    replay.Job // over the whole log; A is the side without a proposal
	Change *Change    // of that side
	Find   *Skills

	entries map[string]catalog.Entry // of library files, by ID; nil until they are read
}

// caught counts the miss's prompts for which a side names the skill.
func (t *Trial) caught(ctx context.Context, miss *replay.Miss, side *replay.Side) (int, error) {
	n := 0
	err := replay.Run(ctx, replay.Job{Source: miss.Source(), A: t.Job.A, B: side, Notes: &replay.Notes{}},
		func(r *replay.Result) error {
			if miss.Named(r) {
				n++
			}
			return nil
		})
	return n, err
}

// triggers returns the side with the trigger that catches most, nil for none.
func (t *Trial) triggers(ctx context.Context, miss *replay.Miss) (best *replay.Side, most int, err error) {
	entry, ok, err := t.entry(ctx, miss)
	if !ok || err != nil {
		return nil, 0, err
	}
	for _, trigger := range miss.Proposal.Triggers() {
		e, err := withTrigger(entry, trigger)
		if err != nil {
			return nil, 0, err
		}
		side := *t.Job.A
		side.Name, side.Open = "with the trigger", replay.Layered(ctx, t.Job.A.Open, []string{e.ID}, []catalog.Entry{e}, lint.Risk)
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
func (t *Trial) entry(ctx context.Context, miss *replay.Miss) (catalog.Entry, bool, error) {
	found := t.Find.ByUse("", miss.Use())
	if found == nil {
		return catalog.Entry{}, false, nil
	}
	if t.entries == nil {
		t.entries = libraryEntries(t.Change.Libraries)
	}
	entry, ok := t.entries[found.ID]
	if !ok {
		list, err := readSkills(ctx, filepath.Dir(found.Path))
		if err != nil || filepath.Base(found.Path) != "SKILL.md" {
			return catalog.Entry{}, false, nil
		}
		entry = list[0]
	}
	g, err := t.Job.A.Open(&replay.Prompt{Cwd: t.Lab.Cwd})
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
func (t *Trial) synonyms(ctx context.Context, miss *replay.Miss) (best *replay.Side, most int, err error) {
	if t.Change.Synonyms != "" {
		return nil, 0, nil // a dictionary is on trial already
	}
	for _, s := range miss.Proposal.Synonyms() {
		text, err := workspace.ReadDictText(workspace.DictFile(t.Lab.Dirs))
		if err != nil {
			return nil, 0, err
		}
		text, err = source.Add(source.File{Name: "synonyms.yaml", Data: text}, source.Entry{Head: s.Word,
			Senses: []string{s.En}})
		if err != nil {
			continue // no word that a dictionary takes
		}
		file := filepath.Join(t.Lab.Tmp, "try.yaml")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, 0, err
		}
		flags := *t.Change
		flags.Synonyms = file
		side, err := t.Lab.Side(ctx, &flags, Candidates)
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
