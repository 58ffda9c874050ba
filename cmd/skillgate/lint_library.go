package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/hooks/listing"
	"github.com/skillgate/skillgate/synonyms"
)

// lintJob is one run of lint: what to check, and among which skills.
type lintJob struct {
	e          *env
	d          dirs.Dirs
	settings   gate.Settings
	flags      lintFlags
	options    lint.Options
	background bool // nobody waits for an index to be built

	stdin   bool          // a text on standard input is checked, which has no file to write to
	singly  bool          // only the skills that were named, not the whole library
	library *lint.Library // what was checked, where fixes were asked for
}

// run checks what args name: whole libraries, or single skills among theirs.
func (j *lintJob) run(ctx context.Context, args []string) (*lint.Result, error) {
	paths := j.e.lintPaths(args)
	if j.flags.stdinPath != "" {
		if len(paths) == 0 {
			paths = []string{"-"}
		}
		if len(paths) != 1 || paths[0] != "-" {
			return nil, errors.New("--stdin-path goes with the path - alone")
		}
	}
	var single, whole []string
	for _, p := range paths {
		if p == "-" {
			j.stdin = true
			single = append(single, p)
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			hint := pathHint
			if j.flags.changed == changedDefault {
				hint = "a revision goes behind an equals sign: --changed=REF"
			}
			return nil, &exitError{code: 3, err: fmt.Errorf("%s: %w", j.e.displayPath(p), unwrapPath(err)), hint: hint}
		}
		switch {
		case info.IsDir() && exists(filepath.Join(p, "SKILL.md")):
			single = append(single, filepath.Join(p, "SKILL.md"))
		case info.IsDir(), isLibraryFile(p):
			whole = append(whole, p)
		case !info.Mode().IsRegular() || filepath.Ext(p) != ".md":
			return nil, &exitError{code: 3, err: fmt.Errorf("%s: not a SKILL.md", j.e.displayPath(p)), hint: pathHint}
		default:
			single = append(single, p)
		}
	}
	switch {
	case single != nil && whole != nil:
		return nil, errors.New("give either libraries or single skills")
	case single != nil:
		return j.single(ctx, single)
	}
	return j.whole(ctx, whole)
}

const pathHint = "a path is a folder of skills, a skill's folder, a SKILL.md or a .jsonl file"

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func isLibraryFile(p string) bool {
	return strings.HasSuffix(p, ".jsonl") || strings.HasSuffix(p, ".jsonl.gz")
}

// installedRoots are the folders of skills that the host reads, and the libraries.
func (j *lintJob) installedRoots() []catalog.Root {
	all, _ := catalog.Roots(j.d, j.e.cwd, j.settings.Libraries) // doctor reports plugins that cannot be read
	var out []catalog.Root
	for _, r := range all {
		if r.Pool == catalog.Skill {
			out = append(out, r)
		}
	}
	return out
}

// From manySkills on, memory counts for more than time: texts and postings of the
// library live while it is checked, 24 KB a skill, and a collector that waits for
// twice as much would take a gigabyte of a large one.
const (
	manySkills     = 3000
	memoryPerSkill = 40 << 10 // bytes, 1.7 times what lives
)

// whole checks libraries, or the installed skills where paths is empty.
func (j *lintJob) whole(ctx context.Context, paths []string) (*lint.Result, error) {
	var roots []catalog.Root
	var files []string
	for _, p := range paths {
		if isLibraryFile(p) {
			files = append(files, p)
			continue
		}
		roots = append(roots, catalog.LibraryRoot(p))
	}
	if len(paths) == 0 {
		roots = j.installedRoots()
	}
	usage := j.e.usage(ctx, j.d)
	key, err := j.cacheKey(ctx, roots, files, usage)
	if err != nil {
		return nil, err
	}
	if res := j.cached(key); res != nil {
		return res, nil
	}
	skills, _ := lint.Load(ctx, roots, j.e.displayPath) // what could not be listed is a finding
	for _, file := range files {
		entries, err := catalog.ReadLibraryFile(file)
		if err != nil {
			return nil, err
		}
		skills = append(skills, lint.FromEntries(entries)...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(skills) == 0 {
		return nil, &exitError{code: 3, err: errNoSkills, hint: "give a folder of skills, or run it where .claude/skills is"}
	}
	if n := len(skills); n > manySkills {
		debug.SetMemoryLimit(int64(n) * memoryPerSkill)
	}
	l := lint.NewLibrary(skills, j.settings.Lint.Languages)
	if len(paths) == 0 {
		l.Shadow()
		l.Listing = j.listing(l)
	}
	l.Usage, l.Days = usage, usageDays
	o := j.options
	if j.flags.changed != "" {
		if o.Only, err = j.changedSkills(ctx, l); err != nil {
			return nil, err
		}
	}
	if err := j.measure(ctx, l, o.Only); err != nil {
		return nil, err
	}
	if j.flags.fix || j.flags.diff {
		j.library = l
	}
	res := lint.Run(l, o)
	j.store(key, res)
	return res, nil
}

// measure asks the retriever about the skills of a whole library, indexed in memory.
func (j *lintJob) measure(ctx context.Context, l *lint.Library, only map[string]bool) error {
	dict, err := j.dict()
	if err != nil {
		return err
	}
	x, err := index.Memory(ctx, l.Entries(), dict, nil)
	if err != nil {
		return err
	}
	r, err := lint.NewRetriever(index.Join(x), dict)
	if err != nil {
		return err
	}
	l.Families(r)
	l.Measured, err = lint.Measure(ctx, l, r, only, true)
	return err
}

// dict is the dictionary that prompts are read with: ours and the user's.
func (j *lintJob) dict() (*synonyms.Dict, error) {
	text, err := compileDictFile(userDictFile(j.d))
	if err != nil || text == nil {
		return synonyms.Default(), err
	}
	user, err := synonyms.Open(string(text))
	if err != nil {
		return nil, err
	}
	return synonyms.Default().With(user), nil
}

// listing predicts which skills the host lists without their description.
func (j *lintJob) listing(l *lint.Library) *lint.Listing {
	session := j.e.app().Session(j.d)
	files := session.Read()
	limit, maxDesc := listing.Limits(session, files, listing.DefaultWindow)
	policy, _ := catalog.LoadPolicy(j.d, j.e.cwd) // doctor reports settings that cannot be read
	var skills []listing.Skill
	for _, s := range l.Skills {
		if s.Err != nil || s.Source == catalog.Library || s.Source == catalog.Agents || !s.ModelInvocable || l.Shadowed[s.ID] != "" ||
			!policy.Allows(s.Name, s.Pool, s.Source, s.Plugin) {
			continue
		}
		skills = append(skills, listing.Entry(s.Entry, files))
	}
	x := listing.Of(skills, limit, maxDesc)
	return &lint.Listing{Budget: x.Budget, Dropped: x.Dropped}
}

// single checks skills one by one among those around them: in the installed
// skills where they are installed, in --library, or in the folder beside them.
// Their text is laid over the index; the other skills are not read.
func (j *lintJob) single(ctx context.Context, files []string) (*lint.Result, error) {
	j.singly = true
	about, err := j.surroundings(files[0])
	if err != nil {
		return nil, err
	}
	var skills []*lint.Skill
	var text []byte
	for _, file := range files {
		s := (*lint.Skill)(nil)
		switch {
		case file != "-":
			s = lint.LoadFile(about.rootOf(file), file, j.e.displayPath)
		default:
			if text, err = io.ReadAll(io.LimitReader(j.e.stdin, catalog.MaxFile+1)); err != nil {
				return nil, fmt.Errorf("read standard input: %w", err)
			}
			if path := j.flags.stdinPath; path != "" {
				path = j.e.absolute(path)
				s = lint.Overlay(about.rootOf(path), path, text, j.e.displayPath)
			} else {
				s = lint.FromText("", "<stdin>", text)
			}
		}
		skills = append(skills, s)
	}
	o := j.options
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
	indexes, err := j.open(ctx, &about)
	if err != nil {
		return nil, err
	}
	defer workspace.Close(indexes)
	if len(indexes) == 0 {
		l := lint.NewLibrary(skills, j.settings.Lint.Languages)
		j.library = l
		return lint.Run(l, j.withoutNeighbours(o)), nil
	}
	for _, x := range indexes {
		if _, err := x.Hide(ids...); err != nil {
			return nil, err
		}
	}
	over, err := index.Memory(ctx, entries, indexes[0].Dict, nil)
	if err != nil {
		return nil, err
	}
	r, err := lint.NewRetriever(index.Join(append(indexes, over)...), indexes[0].Dict)
	if err != nil {
		return nil, err
	}
	l, err := lint.Around(ctx, r, skills, j.settings.Lint.Languages)
	if err != nil {
		return nil, err
	}
	if l.Measured, err = lint.Measure(ctx, l, r, o.Only, false); err != nil {
		return nil, err
	}
	j.library = l
	return lint.Run(l, o), nil
}

// withoutNeighbours turns off the rules that need to know every other skill.
func (j *lintJob) withoutNeighbours(o lint.Options) lint.Options {
	severity := map[string]lint.Severity{}
	for _, r := range lint.All {
		if r.NeedsAll {
			severity[r.ID] = lint.Off
		}
	}
	maps.Copy(severity, o.Severity)
	o.Severity = severity
	return o
}

// surroundings are the skills that single skills are checked among.
type surroundings struct {
	roots  []catalog.Root
	source workspace.Source
}

// rootOf returns the root that holds a file, or the first one.
func (s surroundings) rootOf(file string) catalog.Root {
	for _, r := range s.roots {
		if below(file, r.Path) {
			return r
		}
	}
	return catalog.LibraryRoot(filepath.Dir(filepath.Dir(file)))
}

func below(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (j *lintJob) surroundings(file string) (surroundings, error) {
	if j.flags.stdinPath != "" {
		file = j.e.absolute(j.flags.stdinPath)
	}
	if n := len(j.flags.libraries); n > 1 {
		return surroundings{}, errors.New("--library: single skills are checked among one library")
	} else if n == 1 {
		path := j.e.absolute(j.flags.libraries[0])
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			return surroundings{}, fmt.Errorf("--library %s: want a folder of skills", j.flags.libraries[0])
		}
		return j.folder(path), nil
	}
	roots, _ := catalog.Roots(j.d, j.e.cwd, j.settings.Libraries)
	installed := surroundings{roots: roots, source: workspace.Source{Cwd: j.e.cwd}}
	if file == "-" {
		return installed, nil
	}
	for _, r := range roots {
		if r.Pool == catalog.Skill && below(file, r.Path) {
			return installed, nil
		}
	}
	return j.folder(filepath.Dir(filepath.Dir(file))), nil
}

// folder is a library folder.
func (j *lintJob) folder(path string) surroundings {
	return surroundings{roots: []catalog.Root{catalog.LibraryRoot(path)}, source: workspace.Source{Cwd: j.e.cwd, Libraries: []string{path}}}
}

// open opens the indexes of the surroundings, up to date. In the background nothing is
// built.
func (j *lintJob) open(ctx context.Context, about *surroundings) ([]*index.Index, error) {
	o := j.e.app().Workspace(j.d, j.settings)
	o.AsIs = j.background
	indexes, err := workspace.Indexes(ctx, &about.source, o)
	return indexes, app.OpenError(err)
}
