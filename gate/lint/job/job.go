// Package job checks the targets of a command line: whole libraries, the installed skills, or single skills, which are
// compared with the skills around them. Results of whole libraries are cached.
package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms"
)

// Job is one run of lint.
type Job struct {
	Dirs     dirs.Dirs
	Cwd      string
	Settings gate.Settings
	Options  lint.Options
	Open     workspace.Options // how to open the surrounding skills
	Stdin    io.Reader
	Now      func() time.Time
	Display  func(file string) string                        // returns a file's name for findings
	Usage    func(ctx context.Context) map[string]lint.Usage // returns usage in the last UsageDays days

	Libraries  []string // libraries to compare single skills with
	StdinPath  string   // path of the file whose unsaved text is on standard input
	Changed    string   // check only skills changed since this git revision
	NoCache    bool
	Fixes      bool // Run sets Library even if it checks whole libraries
	Background bool // do not wait for an index to be built
	Designs    bool // check only the intent.yaml files of single skills

	// Set by Run.
	FromStdin bool          // the text came from standard input and has no file
	Singly    bool          // only the named skills were checked
	Library   *lint.Library // the checked library; nil for whole libraries unless Fixes is set

	skill     string // name, ID or path of the only skill to check in whole libraries
	roots     []catalog.Root
	plugins   []catalog.Root // checked folders that are a skill and a plugin
	index     *index.Index   // nil unless whole libraries are checked
	retriever *findable.Retriever
}

// ChangedDefault is the revision that --changed uses if it is given without a value.
const ChangedDefault = "HEAD"

// UsageDays is the number of days for which lint reads the journal.
const UsageDays = 30

// Errors to which callers add a hint.
var (
	ErrNoSkills     = errors.New("no skills")
	ErrNoSkill      = errors.New("no skill is named")
	ErrNoRepository = errors.New("--changed needs a git repository")
)

// PathError reports a path with nothing to check.
type PathError struct{ error }

// Run checks the libraries and skills that args name, or the installed skills.
func (j *Job) Run(ctx context.Context, args []string) (*lint.Result, error) {
	paths := make([]string, len(args))
	for i, arg := range args {
		if paths[i] = arg; arg != "-" {
			paths[i] = dirs.Absolute(j.Cwd, arg)
		}
	}
	if j.StdinPath != "" {
		if len(paths) == 0 {
			paths = []string{"-"}
		}
		if len(paths) != 1 || paths[0] != "-" {
			return nil, errors.New("with --stdin-path, the only path must be -")
		}
	}
	var single, whole []string
	for _, p := range paths {
		if p == "-" {
			j.FromStdin = true
			single = append(single, p)
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			return nil, PathError{fmt.Errorf("%s: %w", j.Display(p), regular.Reason(err))}
		}
		switch {
		case info.IsDir() && exists(filepath.Join(p, "SKILL.md")):
			if exists(filepath.Join(p, ".claude-plugin")) {
				j.plugins = append(j.plugins, j.library(p))
			}
			single = append(single, filepath.Join(p, "SKILL.md"))
			single = append(single, j.nested(ctx, p)...)
		case info.IsDir(), isLibraryFile(p):
			whole = append(whole, p)
		case !info.Mode().IsRegular() || filepath.Ext(p) != ".md":
			return nil, PathError{fmt.Errorf("%s: must be a SKILL.md, a folder or a .jsonl file", j.Display(p))}
		default:
			single = append(single, p)
		}
	}
	switch {
	case single != nil && whole != nil:
		return nil, errors.New("give either single skills or folders of skills, not both")
	case single != nil:
		return j.single(ctx, single)
	}
	return j.whole(ctx, whole)
}

func (j *Job) nested(ctx context.Context, folder string) []string {
	files, _ := catalog.Files(ctx, []catalog.Root{j.library(folder)}, nil)
	var out []string
	for _, f := range files {
		if filepath.Dir(f.Path) != folder && !lint.ForTests(f.Folder) {
			out = append(out, f.Path)
		}
	}
	return out
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func isLibraryFile(p string) bool {
	return strings.HasSuffix(p, ".jsonl") || strings.HasSuffix(p, ".jsonl.gz")
}

// InstalledRoots returns the skill folders that the host reads in sessions in cwd, followed by the libraries.
func InstalledRoots(d dirs.Dirs, cwd string, libraries []string) []catalog.Root {
	all, _ := catalog.Roots(d, cwd, libraries) // doctor reports plugins that cannot be read
	return slices.DeleteFunc(all, func(r catalog.Root) bool { return r.Pool != catalog.Skill })
}

// In libraries of more than manySkills skills, memory matters more than time. Texts and postings take about 30 KB per
// skill during a check, so a large library would take a gigabyte with the garbage collector's default setting. With a
// limit below memoryPerSkill, the collector would take as much time as the checks.
const manySkills = 3000
const memoryPerSkill = 64 << 10 // bytes

func (j *Job) whole(ctx context.Context, paths []string) (*lint.Result, error) {
	var roots []catalog.Root
	var files []string
	for _, p := range paths {
		if isLibraryFile(p) {
			files = append(files, p)
		} else {
			roots = append(roots, j.library(p))
		}
	}
	if len(paths) == 0 {
		roots = InstalledRoots(j.Dirs, j.Cwd, j.Settings.Libraries)
	}
	usage := j.Usage(ctx)
	key, err := j.cacheKey(ctx, roots, files, usage)
	if err != nil {
		return nil, err
	}
	if res := j.cached(key); res != nil {
		return res, nil
	}
	skills, _ := lint.Load(ctx, roots, j.Display) // folders that cannot be listed become findings
	for _, file := range files {
		entries, err := libraryfile.Read(file)
		if err != nil {
			return nil, err
		}
		skills = append(skills, lint.FromEntries(entries)...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n := len(skills); n > manySkills {
		debug.SetMemoryLimit(int64(n) * memoryPerSkill)
	}
	l := lint.NewLibrary(skills, j.languages(lint.Descriptions(skills), usage))
	if !l.Collect(ctx, roots, j.Display) && len(skills) == 0 {
		return nil, ErrNoSkills
	}
	if len(paths) == 0 {
		l.Shadow()
	}
	l.Usage, l.Written = usage, j.written()
	o := j.Options
	j.roots = roots
	if j.skill != "" {
		s, err := j.named(l, j.skill)
		if err != nil {
			return nil, err
		}
		o.Only = map[string]bool{s.ID: true}
	}
	var changed *change
	if j.Changed != "" {
		o.Whole = true
		if o.Only, changed, err = j.changedSkills(ctx, l); err != nil {
			return nil, err
		}
	}
	if err := j.measure(ctx, l, o.Only); err != nil {
		return nil, err
	}
	if j.Fixes {
		j.Library = l
	}
	if changed != nil {
		o.Keep = j.touches(l, changed)
	}
	res := lint.Run(l, o)
	j.store(key, res, l)
	return res, nil
}

func (j *Job) touches(l *lint.Library, c *change) func(f *lint.Finding) bool {
	return func(f *lint.Finding) bool {
		frontEnd := 0
		if s := l.ByID(f.Skill); s != nil && s.Src.Path == f.Path {
			frontEnd = s.Src.LineAt(max(0, s.Front.Body-1))
		}
		return c.touched(f, dirs.Absolute(j.Cwd, filepath.FromSlash(f.Path)), frontEnd)
	}
}

func (j *Job) written() func(e *catalog.Entry) []string {
	known, err := enrich.Load(j.Dirs.State)
	if err != nil || known.Len() == 0 { // doctor reports a store that cannot be read
		return nil
	}
	return func(e *catalog.Entry) []string {
		if x, stale, ok := known.Get(e.ID, e.Hash); ok && !stale {
			return x.Kept()
		}
		return nil
	}
}

func (j *Job) languages(descriptions []string, usage map[string]lint.Usage) []string {
	if set := j.Settings.Lint.Languages; set != nil {
		return set
	}
	return lint.Spoken(descriptions, usage)
}

func (j *Job) grade(ctx context.Context, l *lint.Library, r *findable.Retriever, m lint.Measurement) (err error) {
	if j.Open.Progress != nil {
		var end func()
		m.Done, end = j.Open.Progress("grading skills")
		defer end()
	}
	l.Measured, err = lint.Measure(ctx, l, r, m)
	return err
}

func (j *Job) measure(ctx context.Context, l *lint.Library, only map[string]bool) error {
	dict, err := workspace.Dict(j.Dirs)
	if err != nil {
		return err
	}
	if j.index, j.retriever, err = retriever(ctx, dict, l.Entries()); err != nil {
		return err
	}
	return j.grade(ctx, l, j.retriever, lint.Measurement{Only: only, Concurrent: true})
}

// retriever indexes entries in memory and returns the index and a retriever for it and the other indexes.
func retriever(ctx context.Context, dict *synonyms.Dict, entries []catalog.Entry, others ...*index.Index) (
	*index.Index, *findable.Retriever, error) {
	x, err := index.Memory(ctx, entries, dict, nil)
	if err != nil {
		return nil, nil, err
	}
	r, err := findable.NewRetriever(index.Join(append(others, x)...), dict)
	return x, r, err
}

func (j *Job) single(ctx context.Context, files []string) (*lint.Result, error) {
	j.Singly = true
	about, err := j.surroundings(files[0])
	if err != nil {
		return nil, err
	}
	var skills []*lint.Skill
	for _, file := range files {
		if file != "-" {
			skills = append(skills, lint.LoadFile(j.rootOf(file, about), file, j.Display))
			continue
		}
		text, err := io.ReadAll(io.LimitReader(j.Stdin, catalog.MaxFile+1))
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		if path := j.StdinPath; path != "" {
			path = dirs.Absolute(j.Cwd, path)
			skills = append(skills, lint.Overlay(j.rootOf(path, about), path, text, j.Display))
		} else {
			skills = append(skills, lint.FromText("", "<stdin>", text))
		}
	}
	o := j.Options
	o.Only = map[string]bool{}
	var ids []string
	var entries []catalog.Entry
	for _, s := range skills {
		o.Only[s.ID] = true
		ids = append(ids, s.ID)
		if s.Err == nil {
			entries = append(entries, s.Entry)
		}
	}
	open := j.Open
	open.AsIs = j.Background
	indexes, err := workspace.Indexes(ctx, &about.source, open)
	if err != nil {
		return nil, err
	}
	defer workspace.Close(indexes)
	if len(indexes) == 0 {
		j.Library = lint.NewLibrary(skills, j.languages(lint.Descriptions(skills), nil))
		o.Whole = j.Library.Collect(ctx, j.plugins, j.Display)
		j.Library.Alone = true
		return lint.Run(j.Library, o), nil
	}
	for _, x := range indexes {
		if err := x.Hide(ids...); err != nil {
			return nil, err
		}
	}
	_, r, err := retriever(ctx, indexes[0].Dict, entries, indexes...)
	if err != nil {
		return nil, err
	}
	usage := j.Usage(ctx)
	l := lint.Around(r, skills, j.languages(r.Descriptions(), usage))
	l.Usage, l.Written = usage, j.written()
	if err := j.grade(ctx, l, r, lint.Measurement{Only: o.Only, Designs: j.Designs}); err != nil {
		return nil, err
	}
	j.Library = l
	o.Whole = l.Collect(ctx, j.plugins, j.Display)
	return lint.Run(l, o), nil
}

type surroundings struct {
	roots  []catalog.Root
	source workspace.Source
}

func (j *Job) rootOf(file string, about surroundings) catalog.Root {
	for _, r := range about.roots {
		if lint.Below(file, r.Path) {
			return r
		}
	}
	return j.library(filepath.Dir(filepath.Dir(file))) // the file is in no known root
}

func (j *Job) library(path string) catalog.Root {
	r := catalog.LibraryRoot(path)
	r.Within = catalog.Repository(j.Dirs, r.Path)
	return r
}

func (j *Job) surroundings(file string) (surroundings, error) {
	if j.StdinPath != "" {
		file = dirs.Absolute(j.Cwd, j.StdinPath)
	}
	if n := len(j.Libraries); n > 1 {
		return surroundings{}, errors.New("--library: single skills can be compared with only one library")
	} else if n == 1 {
		path := dirs.Absolute(j.Cwd, j.Libraries[0])
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			return surroundings{}, fmt.Errorf("--library %s: not a folder of skills", j.Libraries[0])
		}
		return j.folder(path), nil
	}
	roots, _ := catalog.Roots(j.Dirs, j.Cwd, j.Settings.Libraries)
	installed := surroundings{roots: roots, source: workspace.Source{Cwd: j.Cwd}}
	if file == "-" {
		return installed, nil
	}
	for _, r := range roots {
		if r.Pool == catalog.Skill && lint.Below(file, r.Path) {
			return installed, nil
		}
	}
	// Neighbouring skills form a library only if their folder is known to hold skills.
	folder := filepath.Dir(file)
	if top := catalog.Repository(j.Dirs, folder); top != "" && !lint.Below(j.Dirs.Home, top) {
		return j.folder(top), nil
	}
	if above := filepath.Dir(folder); filepath.Base(above) == "skills" {
		return j.folder(above), nil
	}
	return installed, nil
}

func (j *Job) folder(path string) surroundings {
	return surroundings{roots: []catalog.Root{j.library(path)}, source: workspace.Source{Cwd: j.Cwd,
		Libraries: []string{path}}}
}
