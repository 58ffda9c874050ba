package catalog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Roots lists the existing folders of skills, agents and commands that a session in cwd could use, in order of
// precedence: the organisation's, the user's, the project's from cwd up to the repository root, .agents/skills,
// installed plugins, plugins in a skills folder, libraries. In each pool a root comes before those whose names it hides
// (see Precedence). cwd "" means no project. A folder reached twice is listed once.
//
// below are folders of skills in subfolders of cwd ("…/packages/web/.claude/skills"). The host discovers them when it
// reads a file in the same subfolder.
//
// Plugins are listed whether enabled or not, and for any project: Policy decides. The errors name the roots and files
// that could not be read; the other roots are still returned.
//
// Roots reads several files of each plugin and looks for a plugin in each folder of skills. The hook uses QuickRoots.
func Roots(d dirs.Dirs, cwd string, libraries []string, below ...string) ([]Root, []error) {
	l := hostRoots(d, cwd, below)
	for _, file := range d.Hosts.Plugins {
		l.installedPlugins(file)
	}
	l.nestedPlugins()
	l.libraries(d, libraries)
	return l.roots, l.errs
}

// QuickRoots is like Roots but omits plugins. It makes one stat call for each root.
func QuickRoots(d dirs.Dirs, cwd string, libraries []string, below ...string) ([]Root, []error) {
	l := hostRoots(d, cwd, below)
	l.libraries(d, libraries)
	return l.roots, l.errs
}

// LibraryRoot returns the root of one library folder. The IDs of its skills are their folders relative to path.
func LibraryRoot(path string) Root {
	return Root{Path: filepath.Clean(path), Source: Library, Pool: Skill}
}

// place identifies a file or folder as part of a pool and, by prefix, of a plugin. Two plugins may share a folder.
type place struct {
	file   system.FileID
	pool   Pool
	prefix string
}

type lister struct {
	roots  []Root
	seen   map[place]bool // folders listed so far
	labels map[string]int
	slash  os.FileInfo // the root of the file system
	errs   []error

	references int // number of fetched libraries so far
}

func hostRoots(d dirs.Dirs, cwd string, below []string) *lister {
	l := &lister{labels: map[string]int{}, seen: map[place]bool{}}
	l.slash, _ = os.Stat("/") // if it fails, slash is nil, which os.SameFile accepts
	project := projectDirs(d.Home, cwd)
	top := ""
	if len(project) > 0 {
		top = project[len(project)-1]
	}
	within := bounds(project)
	at := func(dir string) string { // returns the suffix of the label of a project's root
		rel, err := filepath.Rel(top, dir)
		if err != nil || rel == "." {
			return ""
		}
		return "@" + strings.ReplaceAll(filepath.ToSlash(rel), "/", ":")
	}

	// The user's agents come before the project's, so that a folder that is both (cwd = HOME) stays with the user.
	for _, f := range d.Hosts.Folders {
		if !f.Project {
			l.folder(f, Root{Path: f.Path}, "")
			continue
		}
		for _, dir := range project {
			l.folder(f, Root{Path: filepath.Join(dir, f.Path), Local: true, Within: within(dir)}, at(dir))
		}
		for _, path := range below {
			dir, ok := strings.CutSuffix(path, filepath.Join(string(filepath.Separator), f.Path, "skills"))
			to, err := filepath.Rel(cwd, dir)
			if ok && err == nil && dir == filepath.Clean(dir) && to != "." && filepath.IsLocal(to) {
				r := Root{Path: path, Source: Project, Pool: Skill, Label: f.Label + at(dir), Local: true, Below: true}
				r.Within = within(filepath.Clean(cwd))
				l.add(r)
			}
		}
	}
	return l
}

// folder adds the roots in f. r has their common fields and the path of f; at is the suffix of their labels.
func (l *lister) folder(f dirs.Folder, r Root, at string) {
	r.Source = Personal
	switch {
	case f.ByPath:
		r.Source = Agents
	case f.Project:
		r.Source = Project
	}
	in := r.Path
	r.Path, r.Pool, r.Label = filepath.Join(in, "skills"), Skill, f.Label+at
	l.add(r)
	if f.Agents {
		r.Path, r.Pool, r.Label = filepath.Join(in, "agents"), Agent, f.Label+"-agents"+at
		l.add(r)
		r.Path, r.Pool, r.Label = filepath.Join(in, "commands"), Command, f.Label+"-commands"+at
		l.add(r)
	}
}

// add lists r if it exists and was not listed before. If roots overlap, Files lists each file once.
func (l *lister) add(r Root) {
	if !filepath.IsAbs(r.Path) {
		return
	}
	info, err := os.Stat(r.Path)
	if err != nil {
		if !isAbsent(err) {
			l.errs = append(l.errs, fmt.Errorf("catalog: %w", err))
		}
		return
	}
	if !info.IsDir() && !(r.Pool != Skill && r.Source == Plugin && info.Mode().IsRegular()) {
		return
	}
	id, ok := system.ID(info)
	here := place{id, r.Pool, r.Prefix}
	if ok && l.seen[here] {
		return
	}
	if _, err := regular.Resolve(r.Within, r.Path); err != nil {
		l.errs = append(l.errs, fmt.Errorf("catalog: %w", err))
		return
	}
	if os.SameFile(info, l.slash) {
		l.errs = append(l.errs, fmt.Errorf("catalog: %s: the root of the file system cannot be a folder of skills", r.Path))
		return
	}
	if ok {
		l.seen[here] = true
	}
	if r.Label != "" {
		l.labels[r.Label]++
		if n := l.labels[r.Label]; n > 1 {
			r.Label = fmt.Sprintf("%s~%d", r.Label, n)
		}
	}
	l.roots = append(l.roots, r)
}

func (l *lister) libraries(d dirs.Dirs, paths []string) {
	for _, given := range paths {
		if fetched.Is(given) {
			l.reference(d, given)
			continue
		}
		p := fetched.Local(d.Cache, d.Home, given)
		if !filepath.IsAbs(p) {
			l.errs = append(l.errs, fmt.Errorf("catalog: library %q is not an absolute path", p))
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			l.errs = append(l.errs, fmt.Errorf("catalog: library: %w", err))
			continue
		}
		if !info.IsDir() {
			l.errs = append(l.errs, fmt.Errorf("catalog: library %s is not a folder", p))
			continue
		}
		r := LibraryRoot(p)
		r.Label = "library/" + filepath.Base(r.Path)
		l.add(r)
	}
}

// ReferenceRoot returns the root of a library reference, whether fetched or not.
func ReferenceRoot(d dirs.Dirs, reference string) Root {
	r := LibraryRoot(fetched.Local(d.Cache, d.Home, reference))
	r.Label, r.Reference = "library/"+fetched.Label(reference), reference
	return r
}

// maxReferences is the maximum number of fetched libraries, because every prompt opens the index of each.
const maxReferences = 16

func (l *lister) reference(d dirs.Dirs, reference string) {
	r := ReferenceRoot(d, reference)
	if l.references++; l.references > maxReferences {
		l.errs = append(l.errs,
			fmt.Errorf("catalog: library %s is ignored: at most %d fetched libraries are used", reference, maxReferences))
		return
	}
	if _, err := os.Stat(r.Path); err != nil {
		l.errs = append(l.errs, fmt.Errorf("catalog: library %s is missing; run `skillgate-org library refresh`", reference))
		return
	}
	l.add(r)
}

// projectDirs lists cwd and its parents up to the repository root, nearest first. It stops below home, whose .claude
// is the user's own. Outside any repository it goes up to the root of the file system, like the host.
func projectDirs(home, cwd string) []string {
	if !filepath.IsAbs(cwd) {
		return nil
	}
	var all []string
	for dir := filepath.Clean(cwd); ; {
		if sameDir(dir, home) {
			return all
		}
		all = append(all, dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return all
		}
		up := filepath.Dir(dir)
		if up == dir {
			return all
		}
		dir = up
	}
}

// Repository returns the root of the repository that holds path, for checking that links at path stay in it. It returns
// "" outside any repository and in the user's own folders of skills.
func Repository(d dirs.Dirs, path string) string {
	for _, f := range d.Hosts.Folders {
		if !f.Project && below(f.Path, path) {
			return ""
		}
	}
	return repository(projectDirs(d.Home, path))
}

// bounds returns a function from a folder of the project to the folder that its links must not leave: the root of the
// repository that projectDirs found or, outside any repository, the folder itself.
func bounds(project []string) func(dir string) string {
	if top := repository(project); top != "" {
		return func(string) string { return top }
	}
	return func(dir string) string { return dir }
}

func repository(project []string) string {
	if len(project) > 0 {
		top := project[len(project)-1]
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top
		}
	}
	return ""
}

// sameDir reports whether two paths are the same folder. Only paths with equal last elements are compared on disk.
func sameDir(a, b string) bool {
	if b == "" {
		return false
	}
	if a == filepath.Clean(b) {
		return true
	}
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	ai, err := os.Stat(a)
	if err != nil {
		return false
	}
	bi, err := os.Stat(b)
	return err == nil && os.SameFile(ai, bi)
}

// isAbsent reports whether a path does not exist, or has a file where it needs a folder.
func isAbsent(err error) bool {
	return os.IsNotExist(err) || errors.Is(err, syscall.ENOTDIR)
}
