package lint

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

var sg128 = &Rule{ID: "SG128", Severity: Warning, Check: func(s *Skill, report Report) {
	if s.Dir == "" {
		return
	}
	for _, l := range s.links() {
		// Below a hidden folder are files of the user's; without a dot or slash it is a placeholder.
		if !leaves(l.target) && l.target[0] != '.' && strings.ContainsAny(l.target, "./") && !s.Has(l.target) {
			report.at(s.Src.Span(l.start, l.end), "%s does not exist", l.target)
		}
	}
}}

var sg129 = &Rule{ID: "SG129", Severity: Warning, Check: func(s *Skill, report Report) {
	for _, l := range s.links() {
		// A path from the site's top, as in a web page, is not a file's.
		if leaves(l.target) && !(strings.HasPrefix(l.target, "/") && !strings.Contains(l.target[1:], ".")) &&
			!s.pluginHas(l.target) {
			report.at(s.Src.Span(l.start, l.end), "%s is outside the skill's folder", l.target)
		}
	}
}}

func (s *Skill) pluginHas(target string) bool {
	plugin := pluginOf(s)
	if plugin == "" || path.IsAbs(target) {
		return false
	}
	file := filepath.Join(s.Dir, filepath.FromSlash(target))
	if rel, err := filepath.Rel(plugin, file); err != nil || !filepath.IsLocal(rel) {
		return false
	}
	_, err := os.Stat(file)
	return err == nil
}
