package journal

import "path/filepath"

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
	return file != "" && filepath.Base(file) == "SKILL.md" && SameSkill(filepath.Base(filepath.Dir(file)), skill)
}
