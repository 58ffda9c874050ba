package journal

import (
	"path/filepath"
	"strings"
)

// SameUse reports whether a candidate (its name and file) is what was used: by
// name, by the name of its folder, which the host takes as well, or by the file
// that was read ("" where none was).
func SameUse(name, file, skill, path string) bool {
	if path != "" && file != "" && filepath.Clean(path) == filepath.Clean(file) {
		return true
	}
	if SameSkill(name, skill) {
		return true
	}
	if strings.Contains(name, ":") && strings.Contains(skill, ":") {
		return false // both are whole names: of two plugins, or of two folders
	}
	return file != "" && filepath.Base(file) == "SKILL.md" && SameSkill(filepath.Base(filepath.Dir(file)), skill)
}
