package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/workspace"
)

// sideFlags describe one side of a replay: what differs from this machine as it is.
type sideFlags struct {
	sets      []string
	config    string
	libraries []string
	without   []string
	with      []string
	synonyms  string
}

func (f *sideFlags) empty() bool {
	return len(f.sets)+len(f.libraries)+len(f.without)+len(f.with) == 0 && f.config == "" && f.synonyms == ""
}

// name is how people are told of a side.
func (f *sideFlags) name() string {
	var parts []string
	add := func(flag string, values ...string) {
		for _, v := range values {
			if v != "" {
				parts = append(parts, "--"+flag+" "+v)
			}
		}
	}
	add("config", f.config)
	add("set", f.sets...)
	add("library", f.libraries...)
	add("without-skill", f.without...)
	add("with-skill", f.with...)
	add("synonyms", f.synonyms)
	if len(parts) == 0 {
		return "current"
	}
	return strings.Join(parts, " ")
}

// sideMaker makes the sides of one command.
type sideMaker struct {
	app   *app.App
	dirs  dirs.Dirs
	tmp   string // removed when the command ends
	mu    sync.Mutex
	notes []string // what the sides could not open, each once
}

func (m *sideMaker) note(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.notes, text) {
		m.notes = append(m.notes, text)
	}
}

// settings returns the settings of a side for sessions in a folder.
func (m *sideMaker) settings(f *sideFlags) (func(cwd string) gate.Settings, error) {
	apply := func(s *gate.Settings) error {
		for _, set := range f.sets {
			key, value, ok := strings.Cut(set, "=")
			if !ok {
				return app.Fail("for example --set score_min=7", "--set %s: want key=value", set)
			}
			if err := s.Set(key, value); err != nil {
				return app.Fail("", "--set %s: %w", set, err)
			}
		}
		if err := s.Check(); err != nil {
			return app.Fail("", "--set: %w", err)
		}
		return nil
	}
	if f.config != "" {
		s, err := gate.LoadFile(m.app.Absolute(f.config))
		if err != nil {
			return nil, app.Fail("", "--config: %w", err)
		}
		return func(string) gate.Settings { return s }, apply(&s)
	}
	here, err := m.app.Settings(m.dirs)
	if err != nil {
		return nil, err
	}
	if err := apply(&here); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	known := map[string]gate.Settings{m.app.Cwd: here}
	return func(cwd string) gate.Settings {
		mu.Lock()
		defer mu.Unlock()
		if s, ok := known[cwd]; ok {
			return s
		}
		s, err := gate.Load(m.dirs, cwd, m.app.Environ)
		if err != nil {
			m.note(fmt.Sprintf("settings of %s: %v", cwd, err))
		}
		if err := apply(&s); err != nil {
			m.note(err.Error()) // the same values were right for here
		}
		known[cwd] = s
		return s
	}, nil
}

// side makes one side that decides again, with k candidates listed.
func (m *sideMaker) side(ctx context.Context, f *sideFlags, k int) (*replay.Side, error) {
	settings, err := m.settings(f)
	if err != nil {
		return nil, err
	}
	d := m.dirs
	if f.synonyms != "" {
		if d, err = m.withSynonyms(f.synonyms); err != nil {
			return nil, err
		}
	}
	here := settings(m.app.Cwd)
	s := &replay.Side{Name: f.name(), Settings: here, For: settings, K: k}
	open := func(p *replay.Prompt) (*gate.Gate, error) {
		g, err := gate.OpenRecorded(d, settings(p.Cwd), gate.Recorded{Cwd: p.Cwd})
		for _, scope := range g.Missing {
			m.note(fmt.Sprintf("no index of %s: its prompts are decided without its skills; run `skillgate index` there",
				scope.Label))
		}
		return g, err
	}
	s.Key = func(p *replay.Prompt) string { return p.Cwd }
	switch {
	case len(f.libraries) > 0:
		if open, err = m.library(ctx, d, settings, f.libraries); err != nil {
			return nil, err
		}
	default:
		if err := m.app.RefreshSkills(ctx, d, here); err != nil {
			return nil, err
		}
	}
	s.Open = open
	if len(f.without)+len(f.with) > 0 {
		err = m.overlay(ctx, s, f)
	}
	return s, err
}

// library opens --library for every worker; the index is brought up to date once.
func (m *sideMaker) library(
	ctx context.Context, d dirs.Dirs, settings func(string) gate.Settings, paths []string,
) (func(*replay.Prompt) (*gate.Gate, error), error) {
	g, err := m.app.OpenSkills(ctx, d, settings(m.app.Cwd), paths)
	if err != nil {
		return nil, err
	}
	if err := g.Close(); err != nil {
		return nil, err
	}
	silent := *m.app // what cannot be read was told once
	silent.Stderr = io.Discard
	return func(p *replay.Prompt) (*gate.Gate, error) {
		return silent.OpenSkills(ctx, d, settings(p.Cwd), paths)
	}, nil
}

// withSynonyms returns folders of a machine whose own dictionary is file: its
// indexes are built in a temporary cache.
func (m *sideMaker) withSynonyms(file string) (dirs.Dirs, error) {
	d := m.dirs
	file = m.app.Absolute(file)
	text, err := os.ReadFile(file)
	if err != nil {
		return d, app.Fail("--synonyms takes a file like synonyms.yaml; `skillgate synonyms --help` shows one",
			"--synonyms: %w", err)
	}
	if _, err := app.CompileDict(file); err != nil {
		return d, err
	}
	if d.Config, err = os.MkdirTemp(m.tmp, "config-"); err != nil {
		return d, err
	}
	if d.Cache, err = os.MkdirTemp(m.tmp, "cache-"); err != nil {
		return d, err
	}
	return d, os.WriteFile(workspace.DictFile(d), text, 0o600)
}

// overlay makes a side leave out and add skills.
func (m *sideMaker) overlay(ctx context.Context, s *replay.Side, f *sideFlags) error {
	below := s.Open
	probe, err := below(&replay.Prompt{Cwd: m.app.Cwd})
	if err != nil {
		return err
	}
	defer probe.Close()
	var hide []string
	for _, name := range f.without {
		docs, err := probe.Find(name)
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			return app.Fail("`skillgate query` shows exact names", "--without-skill %s: no skill of that name", name)
		}
		for _, doc := range docs {
			hide = append(hide, doc.ID)
		}
	}
	var add []catalog.Entry
	risks := map[string]float64{} // by id
	for _, dir := range f.with {
		entries, err := readSkills(ctx, m.app.Absolute(dir))
		if err != nil {
			return err
		}
		for _, e := range entries {
			docs, err := probe.Find(e.Name)
			if err != nil {
				return err
			}
			risk := lint.Risk(&e) // of its own files
			if len(docs) > 0 {    // it takes the place of the one that is there
				e = replacing(e, docs[0])
				hide = append(hide, docs[0].ID)
			}
			add, risks[e.ID] = append(add, e), risk
		}
	}
	s.Open = layered(ctx, below, hide, add, func(e *catalog.Entry) float64 { return risks[e.ID] })
	return nil
}

// layered opens what below opens, with skills left out and added, whose risk is given.
func layered(ctx context.Context, below func(*replay.Prompt) (*gate.Gate, error), hide []string, add []catalog.Entry,
	risk func(*catalog.Entry) float64) func(*replay.Prompt) (*gate.Gate, error) {
	return func(p *replay.Prompt) (*gate.Gate, error) {
		g, err := below(p)
		if err != nil {
			return g, err
		}
		var extra *index.Index
		if len(add) > 0 {
			// An index of its own for every gate, which closes it.
			if extra, err = index.Memory(ctx, slices.Clone(add), g.Dict(), risk); err != nil {
				return nil, errors.Join(err, g.Close())
			}
		}
		return g, g.Overlay(hide, extra)
	}
}

// replacing gives an entry the identity of the indexed skill that it replaces.
func replacing(e catalog.Entry, doc index.Doc) catalog.Entry {
	e.ID, e.Name, e.Path, e.Plugin, e.Source = doc.ID, doc.Name, doc.Path, doc.Plugin, catalog.Source(doc.Source)
	return e
}

// readSkills reads the skill in a folder, or the skills in its folders.
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
		return nil, app.Fail("", "--with-skill %s: no SKILL.md in it or in a folder of it", dir)
	}
	var out []catalog.Entry
	for _, f := range files {
		e, err := catalog.Read(root, f)
		if err != nil {
			return nil, app.Fail("", "--with-skill: %w", err)
		}
		out = append(out, e)
	}
	return out, nil
}

// recordedSide decides over the generations that each decision names.
func (m *sideMaker) recordedSide() (*replay.Side, error) {
	settings, err := m.settings(&sideFlags{})
	if err != nil {
		return nil, err
	}
	return &replay.Side{
		Name: "recorded generations", Context: true, Settings: settings(m.app.Cwd), For: settings,
		Key: func(p *replay.Prompt) string {
			text, err := json.Marshal(p.Recorded.Index)
			if err != nil {
				return p.Cwd // these always encode
			}
			return p.Cwd + "\n" + string(text)
		},
		Open: func(p *replay.Prompt) (*gate.Gate, error) {
			uses := p.Recorded.Index
			if len(uses) == 0 {
				return nil, gate.ErrGone // searched now, and not then
			}
			return gate.OpenRecorded(m.dirs, settings(p.Cwd), gate.Recorded{Cwd: p.Cwd, Uses: uses})
		},
	}, nil
}
