package lint

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func above(s *Skill, name string) string {
	if s.Dir == "" {
		return ""
	}
	for dir, n := filepath.Dir(s.Dir), 0; n < maxAbove && Below(dir, s.top); dir, n = filepath.Dir(dir), n+1 {
		file := filepath.Join(dir, name)
		s.outside.record(file, stateOf(file))
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

const maxAbove = 4 // maximum number of levels from a skill's folder up to its project, as in .claude/skills/group/pdf

func (c *hostFile) lock() {
	var lock struct {
		Version any
		Skills  map[string]struct{ Source, SourceType, SkillPath, ComputedHash any }
	}
	if json.Unmarshal([]byte(c.src.Text), &lock) != nil {
		c.report.at(c.src.Whole(), "the file is not a JSON object that lists skills by name")
		return
	}
	if _, ok := lock.Version.(float64); !ok {
		c.report.at(c.src.Line(1), "the field version is missing or not a number")
	}
	names := sortedNames(lock.Skills)
	if len(names) > 1 && !slices.ContainsFunc(names, func(name string) bool { return lock.Skills[name].Source != nil }) {
		c.report.at(c.src.Whole(), "no skill in the file has a source")
		return
	}
	for _, name := range names {
		one := lock.Skills[name]
		for i, value := range []any{one.Source, one.SourceType} {
			if v, _ := value.(string); v == "" {
				c.say(Off, name, "the skill %s has no %s", name, []string{"source", "sourceType"}[i])
			}
		}
		if hash, ok := one.ComputedHash.(string); one.ComputedHash != nil && (!ok || !expr("sha256Hex").MatchString(hash)) {
			c.say(Off, name, "%s: computedHash is not a SHA-256 hash in lower-case hexadecimal", name)
		}
		if file, ok := one.SkillPath.(string); one.SkillPath != nil && (!ok || leaves(strings.ReplaceAll(file, `\`, "/"))) {
			c.say(Off, name, "%s: skillPath %v points outside the source", name, one.SkillPath)
		}
	}
}
