package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/skillgate/skillgate/gate/regular"
	"github.com/skillgate/skillgate/gate/system"
)

// Files lists the files of roots without reading them, in the order of roots and then of names. A skills root is one
// level deep (folder/SKILL.md); libraries, agents and commands are searched to any depth. A file reached twice is
// listed once, and real folders come before links to them.
//
// Files does not follow a link that leads out of a root's Within, or a link to a file that is not named like a skill or
// agent. maxEntries and maxTime bound the search of one root. If a root has more than maxFiles files, the first
// maxFiles are listed and a *TooManyError counts the others.
//
// progress, which may be nil, is called with the number of files so far. A root that does not exist has no files. Files
// returns an error for each path that could not be listed, and one if ctx ends; the other files are still listed.
func Files(ctx context.Context, roots []Root, progress func(n int)) ([]File, []error) {
	s := scan{ctx: ctx, progress: progress, seen: map[place]int{}}
	for i, r := range roots {
		if ctx.Err() != nil {
			break
		}
		s.root, s.links, s.within, s.left, s.until = i, map[system.FileID]bool{}, r.Within, maxEntries,
			time.Now().Add(maxTime)
		s.prefix = r.Prefix
		s.most, s.over, s.commands = len(s.files)+maxFiles, 0, r.Pool == Command
		if r.Local {
			s.left, s.until = maxLocalEntries, time.Now().Add(maxLocalTime)
			s.most = len(s.files) + maxLocalFiles
		}
		switch {
		case r.Source == Library:
			s.library(r.Path)
		case r.Pool == Skill:
			s.skills(r)
		default:
			s.markdown(r.Path)
		}
		if s.over > 0 {
			s.errs = append(s.errs, &TooManyError{r.Path, s.over})
		}
	}
	if err := ctx.Err(); err != nil {
		s.errs = append(s.errs, fmt.Errorf("catalog: scan folders: %w", err))
	}
	return s.files, s.errs
}

// TooManyError is returned for a root with more skills or agents than are listed.
type TooManyError struct {
	Root string
	Left int // number of files left out
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("catalog: %s has too many skills; %d of them are ignored", e.Root, e.Left)
}

type scan struct {
	ctx      context.Context
	progress func(int)
	root     int
	within   string // Within of the scanned root
	commands bool   // the root holds commands, not skills or agents
	left     int    // number of names that may still be read in this root
	until    time.Time
	most     int // maximum of len(files) after this root
	over     int // number of files of this root beyond most
	files    []File
	errs     []error
	prefix   string                 // Prefix of the scanned root
	seen     map[place]int          // index in files, by place
	links    map[system.FileID]bool // folders reached through a link in this root
}

const (
	maxDepth = 16 // deeper nesting is a mistake or a trap

	// Limits on the names read in one root. A cloned project may hold anything; the largest known libraries have about
	// 100,000 skills.
	maxEntries      = 2_000_000
	maxLocalEntries = 100_000

	// Limits on the files listed in one root. Reading 100,000 files takes 45 seconds and 300 MB.
	maxFiles      = 250_000
	maxLocalFiles = 10_000

	// Limits on the time for one root. Roots with many folders and few files per folder take longest.
	maxTime      = 10 * time.Minute
	maxLocalTime = 10 * time.Second

	SkillMD = "SKILL.md"
)

// skipFolder reports whether a folder never holds skills: the host's trash and synchronised copies, and folders of
// other tools.
func skipFolder(name string) bool {
	switch name {
	case ".trash", "synced", "node_modules", ".git":
		return true
	}
	return false
}

// skills lists the skills of one root. A plugin may also name a folder that is itself a skill.
func (s *scan) skills(r Root) {
	if r.Source == Plugin && s.file(filepath.Join(r.Path, SkillMD), "") {
		return
	}
	entries := s.readDir(r.Path)
	s.files = slices.Grow(s.files, min(len(entries), s.most-len(s.files)))
	for _, links := range []bool{false, true} {
		for _, e := range entries {
			other := skipFolder(e.Name()) && e.Name() != "node_modules"
			if e.Type()&fs.ModeSymlink != 0 != links || !links && !e.IsDir() || other {
				continue
			}
			if s.ctx.Err() != nil {
				return
			}
			s.file(filepath.Join(r.Path, e.Name(), SkillMD), e.Name())
		}
	}
}

func (s *scan) library(dir string) {
	s.walk(dir, func(e fs.DirEntry, file, rel string) {
		if e.Name() != SkillMD && (!strings.EqualFold(e.Name(), SkillMD) || otherPage(file)) {
			return
		}
		if _, err := s.stat(file); err != nil && e.Type()&fs.ModeSymlink != 0 {
			s.errs = append(s.errs, fmt.Errorf("catalog: %w", err))
			return
		}
		s.file(file, path.Dir(rel))
	})
}

// otherPage reports whether file, named SKILL.md in another case, is a command, an agent or part of another skill.
// Otherwise it counts as a skill, because hosts on case-insensitive file systems read it as SKILL.md.
func otherPage(file string) bool {
	dir := filepath.Dir(file)
	switch filepath.Base(dir) {
	case "commands", "agents", "templates":
		return true
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(dir), SkillMD))
	return err == nil
}

// markdown lists every .md file below dir. dir may also be a single .md file. In a folder of commands with a SKILL.md,
// only that file is listed.
func (s *scan) markdown(dir string) {
	if strings.HasSuffix(dir, ".md") && s.file(dir, filepath.Base(dir)) {
		return
	}
	s.walk(dir, func(e fs.DirEntry, file, rel string) {
		if !strings.HasSuffix(e.Name(), ".md") {
			return
		}
		if s.commands && e.Name() != SkillMD {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), SkillMD)); err == nil {
				return
			}
		}
		s.file(file, rel)
	})
}

// walk visits the files of the real folders below top, then those reached through links. Each link target is visited
// once, so that loops end.
func (s *scan) walk(top string, visit func(e fs.DirEntry, file, rel string)) {
	queue := s.folder(top, "", 0, visit)
	for len(queue) > 0 && s.ctx.Err() == nil {
		l := queue[0]
		queue = queue[1:]
		target := filepath.Join(top, filepath.FromSlash(l.rel))
		info, err := s.stat(target)
		if errors.Is(err, regular.ErrOutside) {
			s.errs = append(s.errs, fmt.Errorf("catalog: %w", err))
			continue
		}
		if err != nil || !info.IsDir() { // visit decides about broken links
			visit(l.entry, target, l.rel)
			continue
		}
		id, ok := system.ID(info)
		if !ok || s.links[id] || leadsUp(target, top) {
			continue
		}
		s.links[id] = true
		queue = append(queue, s.folder(target, l.rel, l.depth+1, visit)...)
	}
}

type linked struct {
	entry fs.DirEntry
	rel   string // relative to top, slash-separated
	depth int    // depth of the folder with the link
}

// folder visits the files of dir and of the real folders below it, and returns the links.
func (s *scan) folder(dir, rel string, depth int, visit func(e fs.DirEntry, file, rel string)) []linked {
	if depth > maxDepth {
		if _, err := os.Lstat(filepath.Join(dir, SkillMD)); err == nil {
			s.errs = append(s.errs, fmt.Errorf("catalog: %s: folders nested more than %d levels deep are ignored",
				dir, maxDepth))
		}
		return nil
	}
	var links []linked
	for _, e := range s.readDir(dir) {
		if s.ctx.Err() != nil {
			return nil
		}
		to := path.Join(rel, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			if s.commands || !skipFolder(e.Name()) {
				links = append(links, linked{e, to, depth})
			}
		case e.IsDir():
			if s.commands || !skipFolder(e.Name()) {
				links = append(links, s.folder(filepath.Join(dir, e.Name()), to, depth+1, visit)...)
			}
		default:
			visit(e, filepath.Join(dir, e.Name()), to)
		}
	}
	return links
}

func leadsUp(link, top string) bool {
	_, err := regular.Resolve(link, top)
	return !errors.Is(err, regular.ErrOutside)
}

func (s *scan) readDir(dir string) []fs.DirEntry {
	if s.left <= 0 {
		return nil
	}
	if time.Now().After(s.until) {
		s.left = 0
		s.errs = append(s.errs, fmt.Errorf("catalog: %s: reading takes too long; the remaining folders are ignored", dir))
		return nil
	}
	entries, err := readNames(dir, s.left+1)
	if err != nil && !isAbsent(err) {
		s.errs = append(s.errs, fmt.Errorf("catalog: %w", err))
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		odd := strings.ContainsFunc(e.Name(), func(r rune) bool {
			return isControl(r) || unicode.Is(unicode.Bidi_Control, r)
		})
		if odd {
			s.errs = append(s.errs,
				fmt.Errorf("catalog: %s: %q is ignored, because its name contains control characters", dir, e.Name()))
		}
		return odd
	})
	if s.left -= len(entries); s.left <= 0 {
		s.errs = append(s.errs, fmt.Errorf("catalog: %s: too many files; the remaining files are ignored", dir))
	}
	return entries
}

func readNames(dir string, n int) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(n)
	if err == io.EOF {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// stat is like os.Stat but fails for a link that leads out of the root's Within.
func (s *scan) stat(name string) (fs.FileInfo, error) {
	path, err := regular.Resolve(s.within, name)
	if err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// look is like stat and also reports whether the file is a link.
func (s *scan) look(name string) (info fs.FileInfo, linked bool, err error) {
	if info, err = os.Lstat(name); err != nil {
		return nil, false, err
	}
	if linked = info.Mode()&fs.ModeSymlink != 0; linked || s.within != "" {
		info, err = s.stat(name)
	}
	return info, linked, err
}

func (s *scan) file(name, folder string) bool {
	if len(s.files) >= s.most {
		s.over++
		return true
	}
	info, linked, err := s.look(name)
	if err != nil {
		if !isAbsent(err) {
			s.errs = append(s.errs, fmt.Errorf("catalog: %w", err))
		}
		return false
	}
	if !info.Mode().IsRegular() {
		s.errs = append(s.errs, fmt.Errorf("catalog: %s: not a regular file", name))
		return false
	}
	if linked {
		if to := mislinked(name); to != "" {
			s.errs = append(s.errs,
				fmt.Errorf("catalog: %s: symbolic link to %s; the target must end in %s", name, to, requiredEnding(name)))
			return false
		}
	}
	if id, ok := system.ID(info); ok {
		here := place{file: id, prefix: s.prefix}
		if at, twice := s.seen[here]; twice && sameReal(s.files[at].Path, name) {
			return true
		} else if !twice {
			s.seen[here] = len(s.files)
		}
	}
	if folder == "." {
		folder = ""
	}
	s.files = append(s.files, File{
		Root: s.root, Path: name, Folder: filepath.ToSlash(folder),
		Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: system.Changed(info),
	})
	if s.progress != nil {
		s.progress(len(s.files))
	}
	return true
}

// mislinked returns the target of a link that must not be followed, or "". A skill's text is indexed and shown, so a
// link must not lead to a key or a settings file. A target outside the file's folder must end in SKILL.md for a skill
// and .md for other files; inside, it may be any Markdown file or a variant such as "SKILL.md##os.Linux".
func mislinked(file string) string {
	to, err := filepath.EvalSymlinks(file)
	if err != nil {
		return file
	}
	ending := requiredEnding(file)
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil && below(dir, to) {
		if ending = ".md"; strings.HasPrefix(filepath.Base(to), filepath.Base(file)) {
			return ""
		}
	}
	if strings.HasSuffix(strings.ToLower(to), strings.ToLower(ending)) {
		return ""
	}
	return to
}

func requiredEnding(page string) string {
	if strings.EqualFold(filepath.Base(page), SkillMD) {
		return SkillMD
	}
	return ".md"
}

// sameReal reports whether a and b are the same path after symbolic links are resolved. The host counts a hard link as
// another skill.
func sameReal(a, b string) bool {
	ra, errA := filepath.EvalSymlinks(a)
	rb, errB := filepath.EvalSymlinks(b)
	return errA == nil && errB == nil && ra == rb
}
