package lint

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
)

const (
	maxBeside = 256 << 10 // bytes read of a script or reference; the rest is not checked
	maxFiles  = 500       // files listed of one skill's folder
	maxExtra  = 20        // scripts read of one skill's folder, and pages
	maxDepth  = 6         // folders below a skill's folder
)

// listFiles lists the files below a skill's folder, without following links to
// folders. nested folders with a SKILL.md of their own are another skill's only where
// skills are searched to any depth; elsewhere they are part of this one.
func listFiles(folder string, nested bool) []string {
	var out []string
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := os.ReadDir(filepath.Join(folder, filepath.FromSlash(dir)))
		if err != nil || depth > maxDepth {
			return
		}
		for _, e := range entries {
			if depth > 0 && !nested && e.Name() == "SKILL.md" {
				return
			}
		}
		for _, e := range entries {
			rel := path.Join(dir, e.Name())
			switch {
			case len(out) >= maxFiles:
				return
			case e.IsDir():
				if n := e.Name(); n != ".git" && n != "node_modules" && n != "__pycache__" {
					walk(rel, depth+1)
				}
			case rel != "SKILL.md":
				out = append(out, rel)
			}
		}
	}
	walk(".", 0)
	slices.Sort(out)
	return out
}

func isScript(rel string) bool {
	switch strings.ToLower(path.Ext(rel)) {
	case ".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".ps1", ".bat", ".cmd", ".php", ".lua":
		return true
	}
	return path.Base(rel) == "package.json" // it names commands that are run on installation
}

func isMarkdown(rel string) bool {
	ext := strings.ToLower(path.Ext(rel))
	return ext == ".md" || ext == ".markdown"
}

// besides returns the scripts and the Markdown of the skill's folder, each up to maxExtra files.
func (s *Skill) besides() []*source.File {
	if s.extra != nil || s.Dir == "" {
		return s.extra
	}
	s.extra = []*source.File{}
	for _, kind := range []func(rel string) bool{isScript, isMarkdown} {
		n := 0
		for _, f := range s.Files {
			if !kind(f) || isMarkdown(f) && path.Base(s.Src.Path) != skillFile { // else the folder is not the skill's alone
				continue
			}
			if n++; n > maxExtra {
				break
			}
			if text, err := s.Read(f); err == nil {
				s.extra = append(s.extra, source.New(path.Join(path.Dir(s.Src.Path), f), text))
			}
		}
	}
	return s.extra
}
