package catalog

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/fetched"
)

// IsSkillFile reports whether path is skills/NAME/SKILL.md in any folder, or a SKILL.md below one of libraries, which
// are entries of the libraries setting.
func IsSkillFile(path string, d dirs.Dirs, libraries []string) bool {
	if !filepath.IsAbs(path) || !strings.EqualFold(filepath.Base(path), "SKILL.md") {
		return false
	}
	path = filepath.Clean(path)
	if filepath.Base(filepath.Dir(filepath.Dir(path))) == "skills" {
		return true
	}
	return slices.ContainsFunc(libraries, func(library string) bool {
		return below(filepath.Clean(fetched.Local(d.Cache, d.Home, library)), path)
	})
}
