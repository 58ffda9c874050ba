package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/lint/measure"
	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Library holds the skills to check and the data that rules use about them.
type Library struct {
	Skills    []*Skill
	Languages []string                        // codes of the users' languages, such as "en"
	Usage     map[string]Usage                // usage from the journal by skill name; nil without a journal
	Written   func(e *catalog.Entry) []string // returns requests that a model wrote for a skill; may be nil
	Shadowed  map[string]string               // ID of a skill that is not loaded → ID of the skill loaded instead
	Alone     bool                            // other skills are not known, so rules with NeedsAll do not run
	Measured  measure.Results                 // retrieval results; nil if not measured

	parts   []*Skill // files that belong to no skill
	partial bool     // Collect left files out of parts, because there are too many
	plugins []*plugin
	markets []market
	names   map[string][]*Skill // skills by lower-case name and by lower-case folder
	byID    map[string]*Skill
	rules   map[string]bool // ids of all rules
	sorted  func() []string // sorted keys of names
	helpers func() helpers
	above   func() []string // parts of the skills' paths before "/skills/", in lower case
	outside *outside
}

// Usage holds the journal's counts for one skill.
type Usage struct {
	Named   int            `json:"named"`             // number of prompts for which it was suggested
	Langs   map[string]int `json:"langs,omitempty"`   // number of prompts by language code
	Prompts []string       `json:"prompts,omitempty"` // latest prompts after which the model loaded it
}

// NewLibrary returns a library of skills in the given order.
func NewLibrary(skills []*Skill, languages []string) *Library {
	l := &Library{Skills: skills, Languages: languages, names: map[string][]*Skill{}, byID: map[string]*Skill{},
		outside: &outside{states: Outside{}}}
	for i, s := range skills {
		s.order, s.outside = i, l.outside
		l.byID[s.ID] = s
		for _, n := range namesOf(s) {
			l.names[n] = append(l.names[n], s)
		}
	}
	l.sorted = sync.OnceValue(func() []string { return sortedNames(l.names) })
	l.above = sync.OnceValue(l.aboveSkills)
	l.helpers = sync.OnceValue(func() helpers { return findHelpers(slices.Concat(l.Skills, l.parts), l.outside) })
	return l
}

func namesOf(s *Skill) []string {
	given, _ := s.Front.Scalar("name")
	_, last, _ := strings.Cut(s.Name, ":")
	var out []string
	for _, n := range []string{s.Name, s.Folder, last, strings.TrimSpace(given)} {
		if n = strings.ToLower(n); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Parts returns the files outside the skills, which Collect has found.
func (l *Library) Parts() []*Skill { return l.parts }

// ByID returns the skill with that ID, or nil.
func (l *Library) ByID(id string) *Skill { return l.byID[id] }

// ByName returns the skills with that name or folder, ignoring case.
func (l *Library) ByName(name string) []*Skill {
	return l.names[strings.ToLower(strings.Trim(strings.TrimSpace(name), "/`\"'"))]
}

// Load reads the skills of roots except test fixtures. display converts an absolute path into the path shown in
// findings. The errors name folders that could not be listed.
func Load(ctx context.Context, roots []catalog.Root, display func(string) string) ([]*Skill, []error) {
	files, errs := catalog.Files(ctx, roots, nil)
	files = slices.DeleteFunc(files, func(f catalog.File) bool { return ForTests(f.Folder) })
	skills := make([]*Skill, len(files))
	parallel(len(files), func(i int) {
		f := files[i]
		skills[i] = readSkill(roots[f.Root], f, display)
	})
	for _, err := range errs {
		// Unreadable folders and circular links become findings.
		if path, why, ok := blamed(err); ok {
			e := catalog.Entry{ID: path, Name: filepath.Base(filepath.Dir(path)), Path: path}
			skills = append(skills, unreadable(e, display(path), why))
		}
	}
	return skills, errs
}

// ForTests reports whether a folder is inside test fixtures, backups or an archive.
func ForTests(folder string) bool { return expr("forTests").MatchString(folder) }

// LoadFile reads a SKILL.md. The skill's Folder is relative to root, or only a base name if the file is outside root.
func LoadFile(root catalog.Root, file string, display func(string) string) *Skill {
	return readSkill(root, fileOf(root, file), display)
}

func fileOf(root catalog.Root, file string) catalog.File {
	dir := filepath.Dir(file)
	f := catalog.File{Path: file, Folder: filepath.Base(dir)}
	if rel, err := filepath.Rel(root.Path, dir); err == nil && rel != "." && filepath.IsLocal(rel) {
		f.Folder = filepath.ToSlash(rel)
	}
	if info, err := os.Stat(file); err == nil {
		f.Size, f.ModTime = info.Size(), info.ModTime().UnixNano()
	}
	return f
}

// Overlay is like LoadFile but uses the given text instead of the file's, such as an editor's unsaved text.
func Overlay(root catalog.Root, file string, text []byte, display func(string) string) *Skill {
	f := fileOf(root, file)
	f.Size = int64(len(text))
	s := newSkill(catalog.Parse(root, f, text[:min(len(text), catalog.MaxFile)]), display(file), string(text))
	s.top = topOf(root)
	s.beside(filepath.Dir(file))
	return s
}

// FromText returns the skill with the given text and no file. folder may be "".
func FromText(folder, display string, text []byte) *Skill {
	f := catalog.File{Path: "", Folder: folder, Size: int64(len(text))}
	e := catalog.Parse(catalog.LibraryRoot("/"), f, text[:min(len(text), catalog.MaxFile)])
	e.Path, e.Folder = "", folder
	if folder == "" {
		e.ID = display
	}
	return newSkill(e, display, string(text))
}

// FromEntries returns the skills of a library file, which have no folders.
func FromEntries(entries []catalog.Entry) []*Skill {
	skills := make([]*Skill, len(entries))
	parallel(len(entries), func(i int) {
		skills[i] = newSkill(entries[i], entries[i].ID, pageOf(&entries[i]))
	})
	return skills
}

func pageOf(e *catalog.Entry) string {
	if e.Frontmatter == "" {
		return e.Body
	}
	return "---\n" + e.Frontmatter + "\n---\n" + e.Body
}

func blamed(err error) (path string, why error, ok bool) {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Path, pe.Err, true
	}
	path, text, ok := strings.Cut(strings.TrimPrefix(err.Error(), "catalog: "), ": ")
	return path, errors.New(text), ok && filepath.IsAbs(path)
}

func readSkill(root catalog.Root, f catalog.File, display func(string) string) *Skill {
	path, err := regular.Resolve(root.Within, f.Path)
	var text []byte
	if err == nil {
		text, err = regular.Head(path, catalog.MaxFile+1)
	}
	if err != nil {
		e := catalog.Entry{ID: root.Label + "/" + f.Folder, Name: filepath.Base(f.Folder), Path: f.Path, Pool: root.Pool,
			Source: root.Source}
		return unreadable(e, display(f.Path), err)
	}
	e := catalog.Parse(root, f, text[:min(len(text), catalog.MaxFile)])
	s := newSkill(e, display(f.Path), string(text))
	s.top = topOf(root)
	if root.Pool == catalog.Skill && strings.EqualFold(filepath.Base(f.Path), "SKILL.md") {
		s.beside(filepath.Dir(f.Path))
	}
	return s
}

func unreadable(e catalog.Entry, display string, err error) *Skill {
	src := source.New(display, "")
	return &Skill{Entry: e, Err: fmt.Errorf("the file cannot be read: %w", regular.Reason(err)), Src: src, Front: &Front{}}
}

// parallel calls f(0) to f(n-1) on all processors. It panics if a call panics.
func parallel(n int, f func(i int)) {
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		all.Go(func() error {
			return system.Caught(func() error {
				f(i)
				return nil
			})
		})
	}
	if err := all.Wait(); err != nil {
		panic(err)
	}
}

// Shadow sets Shadowed to the skills that the host does not load because another skill of the same name wins.
func (l *Library) Shadow() {
	_, hidden := catalog.Precedence(l.Entries())
	l.Shadowed = map[string]string{}
	for _, h := range hidden {
		l.Shadowed[h.Entry.ID] = h.By
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func count[T any](list []T, is func(one T) bool) (n int) {
	for _, one := range list {
		if is(one) {
			n++
		}
	}
	return n
}

// Descriptions returns the description and when_to_use text of each skill.
func Descriptions(skills []*Skill) []string {
	var out []string
	for _, s := range skills {
		if s.Described() {
			out = append(out, s.Text())
		}
	}
	return out
}

// Entries returns the catalog entries of the skills that could be read.
func (l *Library) Entries() []catalog.Entry {
	out := make([]catalog.Entry, 0, len(l.Skills))
	for _, s := range l.Skills {
		if s.Err == nil {
			out = append(out, s.Entry)
		}
	}
	return out
}

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

var sg405 = &Rule{ID: "SG405", Severity: Warning, Within: func(l *Library, s *Skill, report Report) {
	by := l.Shadowed[s.ID]
	if by == "" {
		return
	}
	where := by
	if w := l.byID[by]; w != nil {
		where = w.Src.Path
	}
	report.at(s.Key("name"), "the host loads %s instead of this skill; both are named %q", where, s.Name)
}}
