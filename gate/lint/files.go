package lint

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/skillgate/skillgate/gate/lint/source"
)

const (
	maxBeside = 256 << 10 // bytes read of each script or reference
	maxFiles  = 500       // files listed in each skill folder
	maxData   = 64 << 10  // bytes; longer files of data are not read
	maxExtra  = 60        // number of scripts, and of Markdown files, read in each skill folder
	maxDepth  = 6         // levels of subfolders listed
)

// listFiles lists the files below a skill's folder without following links to folders. Unless nested is true, it skips
// subfolders with a SKILL.md, because they are separate skills.
func listFiles(folder string, nested bool) []string {
	var out []string
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := os.ReadDir(filepath.Join(folder, filepath.FromSlash(dir)))
		apart := func(e fs.DirEntry) bool { return !nested && e.Name() == skillFile }
		if err != nil || depth > maxDepth || depth > 0 && slices.ContainsFunc(entries, apart) {
			return
		}
		for _, e := range entries {
			rel := path.Join(dir, e.Name())
			switch {
			case len(out) >= maxFiles:
				return
			case e.IsDir():
				if n := e.Name(); path.Ext(n) != ".git" && n != "node_modules" && n != "__pycache__" {
					walk(rel, depth+1)
				}
			case rel != skillFile:
				out = append(out, rel)
			}
		}
	}
	walk(".", 0)
	slices.Sort(out)
	return out
}

// isScript also accepts package.json, because npm runs its scripts on installation.
func isScript(rel string) bool { return expr("scriptFile").MatchString(rel) }

// isConfig reports whether a file holds settings, build steps or data that programs and models read.
func isConfig(rel string) bool {
	return !isScript(rel) && expr("configFile").MatchString(path.Base(rel))
}

func isMarkdown(rel string) bool { return expr("markdownFile").MatchString(rel) }

func (s *Skill) besides() []*source.File {
	if s.extra != nil || s.Dir == "" {
		return s.extra
	}
	s.extra = []*source.File{}
	for _, kind := range []func(rel string) bool{isScript, isMarkdown, isConfig} {
		n := 0
		for _, f := range s.Files {
			// Without a SKILL.md, pages may be other skills.
			if !kind(f) || !isScript(f) && expr("forTests").MatchString(f) ||
				isMarkdown(f) && path.Base(s.Src.Path) != skillFile {
				continue
			}
			if n++; n > maxExtra {
				break
			}
			if text, err := s.Read(f); err == nil && (len(text) <= maxData || !isConfig(f)) {
				s.extra = append(s.extra, source.New(path.Join(path.Dir(s.Src.Path), f), text))
			}
		}
	}
	return s.extra
}
