package catalog

import (
	"path/filepath"
	"strings"
)

// IsSkillFile reports whether path is the SKILL.md of a skill that could be used: in a
// library folder, or in a folder called skills, where hosts keep theirs. A library may
// begin with ~/ for home.
func IsSkillFile(path, home string, libraries []string) bool {
	if !filepath.IsAbs(path) || !strings.EqualFold(filepath.Base(path), "SKILL.md") {
		return false
	}
	path = filepath.Clean(path)
	if filepath.Base(filepath.Dir(filepath.Dir(path))) == "skills" {
		return true
	}
	for _, library := range libraries {
		if rest, ok := strings.CutPrefix(library, "~/"); ok {
			library = filepath.Join(home, rest)
		}
		if strings.HasPrefix(path, strings.TrimSuffix(filepath.Clean(library), "/")+"/") {
			return true
		}
	}
	return false
}
