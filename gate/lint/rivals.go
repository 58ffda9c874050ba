package lint

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillgate/skillgate/gate/lint/source"
	"github.com/skillgate/skillgate/gate/wording"
)

var sg305 = &Rule{ID: "SG305", Severity: Warning, NeedsAll: true, Within: func(l *Library, s *Skill, report Report) {
	seen := set{}
	for _, b := range s.Boundaries {
		for _, use := range b.Use {
			if !seen[use] && !l.reaches(use) && !words("wellKnownSkills")[use] && !expr("kindOfSkill").MatchString(use) &&
				l.skillLike(s, use) && !s.noSkill(use) {
				seen[use] = true
				report(Problem{At: s.boundaryPlace(b.Not, use), Text: fmt.Sprintf("no skill is named %q", use),
					Hint: l.perhaps(s, use)})
			}
		}
	}
}}

func (l *Library) skillLike(s *Skill, use string) bool {
	text, parts := s.Text(), strings.Split(use, "-")
	return source.AnyOccurrence(text, use, func(at int) bool {
		before, after := text[:at], text[at+len(use):]
		return expr("commandBefore").MatchString(before) || strings.HasPrefix(after, " skill") ||
			strings.HasSuffix(before, "(use ") && strings.HasPrefix(after, ")") && l.perhaps(s, use) != ""
	}) || len(parts) > 1 && parts[0] != "non" && !slices.ContainsFunc(parts, func(p string) bool { return len(p) < 3 }) &&
		expr("endsClause").MatchString(text[strings.LastIndex(text, use)+len(use):])
}

func (l *Library) reaches(use string) bool {
	use = strings.TrimPrefix(use, "skill:")
	if len(l.ByName(use)) > 0 {
		return true
	}
	folder, name, _ := strings.Cut(strings.ToLower(use), ":")
	if l.helpers().commands[cmp.Or(name, folder)] { // the host loads commands as skills
		return true
	}
	if name != "" {
		in := func(s *Skill) bool {
			p := l.pluginOf(s.Path)
			return p != nil && slices.Contains(p.names, folder) ||
				strings.Contains("/"+strings.ToLower(s.Src.Path), "/"+folder+"/")
		}
		return slices.ContainsFunc(l.ByName(name), in) || !l.ownPlugin(folder) && !l.helpers().folders[folder]
	}
	return slices.ContainsFunc(l.above(), func(path string) bool { return strings.HasSuffix(path, "/"+folder) })
}

func (l *Library) aboveSkills() []string {
	all := map[string]bool{}
	for _, s := range l.Skills {
		file := "/" + strings.ToLower(s.Src.Path)
		for at := range source.Occurrences(file, "/skills") {
			if strings.HasPrefix(file[at:], "/skills/") {
				all[file[:at]] = true
			}
		}
	}
	return sortedNames(all)
}

func (s *Skill) boundaryPlace(not, use string) source.Place {
	for _, key := range []string{"description", "when_to_use"} {
		k, _ := s.Front.Key(key)
		if _, end, ok := s.Src.Find(not, k.End, k.Until); ok {
			if from, to, ok := s.Src.Find(use, end, k.Until); ok {
				return s.Src.Span(from, to)
			}
		}
	}
	return s.InDescription(use)
}

func (s *Skill) noSkill(use string) bool {
	if verb, ok := strings.CutSuffix(s.Name, "-"+use); ok && words("makingVerbs")[verb] {
		return true // the skill makes it
	}
	plugin, name, qualified := strings.Cut(use, ":")
	if !qualified {
		name = use
	}
	for _, kind := range []string{"commands", "agents"} {
		if above(s, filepath.Join(kind, name+".md")) != "" || above(s, filepath.Join(kind, name, "AGENT.md")) != "" {
			return true
		}
		for _, at := range []string{plugin, filepath.Join("plugins", plugin)} {
			if qualified && s.Reach != "" && s.outside.exists(filepath.Join(s.Reach, at, kind, name+".md")) {
				return true
			}
		}
	}
	text := s.Text()
	return source.AnyOccurrence(text, use, func(at int) bool {
		after := text[at+len(use):]
		return expr("otherKind").MatchString(after) || !strings.Contains(use, "-") && strings.HasPrefix(after, " directly")
	}) || above(s, filepath.Join("workflows", name+".js")) != "" ||
		above(s, filepath.Join("skills", name, skillFile)) != "" || s.runs(use)
}

func (s *Skill) runs(name string) bool {
	for l := range s.lines() {
		i := strings.Index(l.Text, name)
		if i < 0 {
			continue
		}
		before, after := strings.TrimSpace(l.Text[:i]), l.Text[i+len(name):]
		ran := l.Code && (before == "" || before == "$") || strings.HasSuffix(before, "`")
		if strings.HasSuffix(before, "import") || strings.Contains(before, "install") ||
			ran && (strings.HasPrefix(after, " ") || strings.HasPrefix(after, "`") && l.Code) {
			return true
		}
	}
	return false
}

func (l *Library) perhaps(s *Skill, name string) string {
	name = strings.ToLower(name)
	for _, n := range l.sorted() {
		if (strings.HasSuffix(n, "-"+name) || strings.HasPrefix(n, name+"-")) && l.names[n][0] != s {
			return fmt.Sprintf("did you mean %s?", n)
		}
	}
	if near := wording.Nearest(name, l.sorted()); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return ""
}
