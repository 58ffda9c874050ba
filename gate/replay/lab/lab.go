// Package lab creates the sides of a replay: this machine as it is, or with changed settings, skills or dictionary. It
// does not write to the machine's own files; changed dictionaries and their indexes are in a temporary folder.
package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/workspace"
)

// Errors for which callers add a hint.
var (
	ErrSet      = errors.New("must have the form KEY=VALUE")
	ErrSynonyms = errors.New("--synonyms")
)

// Change describes how a side of a replay differs from this machine.
type Change struct {
	Sets      []string // settings, key=value
	Libraries []string // paths of skill libraries to use instead of the installed skills
	With      []string // folders of skills to add or to replace installed skills of the same name
	Synonyms  string   // dictionary file to use instead of the user's synonyms.yaml
}

// Empty reports whether f changes nothing.
func (f *Change) Empty() bool {
	return len(f.Sets)+len(f.Libraries)+len(f.With) == 0 && f.Synonyms == ""
}

func (f *Change) name() string {
	var parts []string
	add := func(flag string, values ...string) {
		for _, v := range values {
			if v != "" {
				parts = append(parts, "--"+flag+" "+v)
			}
		}
	}
	add("set", f.Sets...)
	add("library", f.Libraries...)
	add("with-skill", f.With...)
	add("synonyms", f.Synonyms)
	if len(parts) == 0 {
		return "current"
	}
	return strings.Join(parts, " ")
}

// Lab creates sides from this machine's state. It must not be copied.
type Lab struct {
	Dirs    dirs.Dirs
	Cwd     string
	Environ []string
	Here    gate.Settings // settings of a session in Cwd
	Open    workspace.Options
	Tmp     string // temporary folder, which the caller removes

	mu    sync.Mutex
	notes []string
}

// Notes returns the messages about files that could not be read, without duplicates.
func (m *Lab) Notes() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.notes)
}

func (m *Lab) with(d dirs.Dirs, s gate.Settings) workspace.Options {
	o := m.Open
	o.Dirs, o.Settings = d, s
	return o
}

func (m *Lab) note(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.notes, text) {
		m.notes = append(m.notes, text)
	}
}

func (m *Lab) settings(f *Change) (func(cwd string) gate.Settings, error) {
	apply := func(s *gate.Settings) error {
		for _, set := range f.Sets {
			key, value, ok := strings.Cut(set, "=")
			if !ok {
				return fmt.Errorf("--set %s: %w", set, ErrSet)
			}
			if err := s.Set(key, value); err != nil {
				return fmt.Errorf("--set %s: %w", set, err)
			}
		}
		if err := s.Check(); err != nil {
			return fmt.Errorf("--set: %w", err)
		}
		return nil
	}
	here := m.Here
	if err := apply(&here); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	known := map[string]gate.Settings{m.Cwd: here}
	return func(cwd string) gate.Settings {
		mu.Lock()
		defer mu.Unlock()
		if s, ok := known[cwd]; ok {
			return s
		}
		s, err := gate.Load(m.Dirs, cwd, m.Environ)
		if err != nil {
			m.note(fmt.Sprintf("settings of %s: %v", cwd, err))
		}
		if err := apply(&s); err != nil {
			m.note(err.Error()) // unexpected, because the values are valid for m.Cwd
		}
		known[cwd] = s
		return s
	}, nil
}

// Side returns a side that makes decisions with the change f. Its decisions have at least k candidates.
func (m *Lab) Side(ctx context.Context, f *Change, k int) (*replay.Side, error) {
	d := m.Dirs
	if f.Synonyms != "" {
		var err error
		if d, err = m.ownDictionary(f.Synonyms); err != nil {
			return nil, err
		}
	}
	return m.side(ctx, f, d, k)
}

func (m *Lab) side(ctx context.Context, f *Change, d dirs.Dirs, k int) (*replay.Side, error) {
	settings, err := m.settings(f)
	if err != nil {
		return nil, err
	}
	here := settings(m.Cwd)
	s := &replay.Side{Name: f.name(), Settings: here, For: settings, K: k}
	open := func(p *replay.Prompt) (*gate.Gate, error) {
		g, err := gate.OpenRecorded(d, settings(p.Cwd), p.Cwd, below(p))
		for _, scope := range g.Missing {
			m.note(fmt.Sprintf("%s has no index, so its skills are never candidates; run `skillgate index` there",
				scope.Label))
		}
		return g, err
	}
	s.Key = func(p *replay.Prompt) string { return keyOf(p, below(p)) }
	switch {
	case len(f.Libraries) > 0:
		if open, err = m.library(ctx, d, settings, f.Libraries); err != nil {
			return nil, err
		}
	default:
		o := m.with(d, here)
		for _, f := range workspace.Subfolders(ctx, m.Cwd, m.with(m.Dirs, here)) { // uses m.Dirs, because d may have no log
			o.Below = append(o.Below, f.Path)
		}
		if d.Cache, err = workspace.RefreshCopy(ctx, m.Cwd, o, filepath.Join(m.Tmp, "cache")); err != nil {
			return nil, err
		}
	}
	s.Open = open
	if len(f.With) > 0 {
		err = m.overlay(ctx, s, f)
	}
	return s, err
}

func below(p *replay.Prompt) []gate.Subfolder {
	if p.Recorded == nil {
		return nil
	}
	return p.Recorded.Subfolders()
}

func keyOf(p *replay.Prompt, of any) string {
	text, err := json.Marshal(of)
	if err != nil {
		return p.Cwd // unreachable
	}
	return p.Cwd + "\n" + string(text)
}

// anyPrompt returns a prompt in m.Cwd for which all subfolders in the recent log count as discovered.
func (m *Lab) anyPrompt(ctx context.Context) *replay.Prompt {
	d := &gate.Decision{}
	for _, f := range workspace.Subfolders(ctx, m.Cwd, m.with(m.Dirs, m.Here)) {
		d.Index = append(d.Index, gate.IndexUse{Root: f.Path, Below: true, Names: f.Names})
	}
	return &replay.Prompt{Cwd: m.Cwd, Recorded: d}
}

func (m *Lab) library(
	ctx context.Context, d dirs.Dirs, settings func(string) gate.Settings, paths []string,
) (func(*replay.Prompt) (*gate.Gate, error), error) {
	g, err := workspace.Open(ctx, &workspace.Source{Cwd: m.Cwd, Libraries: paths}, m.with(d, settings(m.Cwd)))
	if err != nil {
		return nil, err
	}
	g.Close()
	return func(p *replay.Prompt) (*gate.Gate, error) {
		silent := m.with(d, settings(p.Cwd)) // without messages, because the call above reported them
		silent.Progress, silent.Note = nil, nil
		return workspace.Open(ctx, &workspace.Source{Cwd: m.Cwd, Libraries: paths}, silent)
	}, nil
}

func (m *Lab) ownDictionary(file string) (dirs.Dirs, error) {
	file = dirs.Absolute(m.Cwd, file)
	text, err := os.ReadFile(file)
	if err != nil {
		return m.Dirs, fmt.Errorf("%w: %w", ErrSynonyms, err)
	}
	if _, err := workspace.CompileDict(file); err != nil {
		return m.Dirs, err
	}
	return m.Copy(func(d dirs.Dirs) error { return disk.Write(workspace.DictFile(d), text, disk.Options{}) })
}

// Copy creates temporary folders with copies of this machine's dictionary and expansions, calls prepare to change them,
// and returns them. Indexes will be built in a temporary cache.
func (m *Lab) Copy(prepare func(dirs.Dirs) error) (dirs.Dirs, error) {
	d := m.Dirs
	tmp, err := os.MkdirTemp(m.Tmp, "copy-")
	if err != nil {
		return d, err
	}
	d.Config, d.State, d.Cache = filepath.Join(tmp, "config"), filepath.Join(tmp, "state"), filepath.Join(tmp, "cache")
	for _, file := range []struct{ from, to string }{
		{workspace.DictFile(m.Dirs), workspace.DictFile(d)},
		{filepath.Join(m.Dirs.State, enrich.File), filepath.Join(d.State, enrich.File)},
	} {
		if err := os.MkdirAll(filepath.Dir(file.to), 0o700); err != nil {
			return d, err
		}
		text, err := os.ReadFile(file.from)
		if err == nil {
			err = disk.Write(file.to, text, disk.Options{})
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return d, err
		}
	}
	return d, prepare(d)
}

// Copied returns a side that uses copies of this machine's dictionary and expansions, changed by prepare. Its decisions
// have at least k candidates.
func (m *Lab) Copied(ctx context.Context, k int, prepare func(dirs.Dirs) error) (*replay.Side, error) {
	d, err := m.Copy(prepare)
	if err == nil {
		err = index.Fork(m.Dirs.Cache, d.Cache) // avoids rebuilding the indexes of other projects
	}
	if err != nil {
		return nil, err
	}
	return m.side(ctx, &Change{}, d, k)
}

func (m *Lab) overlay(ctx context.Context, s *replay.Side, f *Change) error {
	known, err := enrich.Load(m.Dirs.State)
	if err != nil {
		return err
	}
	open := s.Open
	probe, err := open(m.anyPrompt(ctx))
	if err != nil {
		return err
	}
	defer probe.Close()
	var hide []string
	var add []catalog.Entry
	risks := map[string]float64{} // risks of the added skills by ID
	for _, dir := range f.With {
		entries, err := readSkills(ctx, dirs.Absolute(m.Cwd, dir))
		if err != nil {
			return err
		}
		for _, e := range entries {
			docs, err := probe.Find(e.Name)
			if err != nil {
				return err
			}
			risk := lint.Risk(&e) // needs the files of e, so it comes before e gets another path
			if len(docs) > 0 {    // e replaces an installed skill
				e = replacing(e, docs[0])
				hide = append(hide, docs[0].ID)
			}
			add, risks[e.ID] = append(add, e), risk
		}
	}
	s.Open = replay.Layered(ctx, open, hide, index.Options{
		Entries: add, Risk: func(e *catalog.Entry) float64 { return risks[e.ID] }, Expansion: known.Lookup,
	})
	return nil
}

func replacing(e catalog.Entry, doc index.Doc) catalog.Entry {
	e.ID, e.Name, e.Path, e.Plugin, e.Source = doc.ID, doc.Name, doc.Path, doc.Plugin, catalog.Source(doc.Source)
	return e
}

func readSkills(ctx context.Context, dir string) ([]catalog.Entry, error) {
	root := catalog.Root{Path: dir, Source: catalog.Personal, Pool: catalog.Skill, Label: "with"}
	var files []catalog.File
	if fi, err := os.Stat(filepath.Join(dir, "SKILL.md")); err == nil {
		root.Path = filepath.Dir(dir)
		files = []catalog.File{{Path: filepath.Join(dir, "SKILL.md"), Folder: filepath.Base(dir), Size: fi.Size(),
			ModTime: fi.ModTime().UnixNano()}}
	} else {
		files, _ = catalog.Files(ctx, []catalog.Root{root}, nil)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("--with-skill %s: no SKILL.md in the folder or its subfolders", dir)
	}
	var out []catalog.Entry
	for _, f := range files {
		e, err := catalog.Read(root, f)
		if err != nil {
			return nil, fmt.Errorf("--with-skill: %w", err)
		}
		out = append(out, e)
	}
	return out, nil
}
