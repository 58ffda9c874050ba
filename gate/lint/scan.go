package lint

import (
	"path"
	"regexp"
	"strings"
)

// text is something of a skill that safety rules read: SKILL.md or a script.
type textFile struct {
	src    *Source
	script bool
}

// texts lists SKILL.md and the scripts beside it.
func (s *Skill) texts() []textFile {
	out := []textFile{{src: s.Src}}
	for _, src := range s.scripts() {
		out = append(out, textFile{src: src, script: true})
	}
	return out
}

// scripts reads the scripts of the folder, once.
func (s *Skill) scripts() []*Source {
	if s.extra != nil || s.fsys == nil {
		return s.extra
	}
	s.extra = []*Source{}
	for _, f := range s.Files {
		if len(s.extra) == maxExtra {
			break
		}
		if !isScript(f) {
			continue
		}
		if text, err := s.Read(f); err == nil {
			s.extra = append(s.extra, NewSource(path.Join(path.Dir(s.Src.Path), f), text))
		}
	}
	return s.extra
}

// pattern is something that safety rules look for in lines.
type pattern struct {
	words []string // lower case; one of them must stand in the line for re to be tried
	re    func() *regexp.Regexp
	what  string
}

// scanLines reports the first match of the patterns in each line, at most limit.
// skip tells lines that only speak of the thing.
func scanLines(s *Skill, patterns []pattern, limit int, skip func(line string, script bool) bool, report func(src *Source, start, end int, p pattern)) {
	found := 0
	for _, t := range s.texts() {
		low := strings.ToLower(t.src.Text)
		if len(low) != len(t.src.Text) {
			low = asciiLower(t.src.Text)
		}
		if !anyWord(low, patterns) {
			continue
		}
		for n := range t.src.lines {
			line := t.src.line(n + 1)
			from := int(t.src.lines[n])
			lowLine := low[from : from+len(line)]
			for _, p := range patterns {
				if !hasAny(lowLine, p.words) {
					continue
				}
				m := p.re().FindStringIndex(line)
				if m == nil || skip != nil && skip(line, t.script) {
					continue
				}
				report(t.src, from+m[0], from+m[1], p)
				if found++; found >= limit {
					return
				}
				break
			}
		}
	}
}

func anyWord(text string, patterns []pattern) bool {
	for _, p := range patterns {
		if hasAny(text, p.words) {
			return true
		}
	}
	return false
}

func hasAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return len(words) == 0
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// warns reports whether a line shows something as a thing not to do, or looks for it.
func warns(line string, script bool) bool {
	low := asciiLower(line)
	if script {
		trimmed := strings.TrimSpace(low)
		// A comment runs nothing; a pattern in a scanner is what it looks for.
		return strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") || strings.Contains(low, "re.compile") ||
			strings.Contains(low, "pattern") || strings.Contains(low, "regex") || strings.Contains(low, "grep ")
	}
	for _, w := range warnings {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

var warnings = []string{
	"never ", "don't", "do not", "don’t", "avoid", "dangerous", "❌", "🚫", "⛔", "⚠", "forbid", "prohibit", "block", "deny", "refus", "reject", "detect", "grep ", "pattern", "must not",
	"malicious", "attack", "exploit", "suspicious", "warn", "unsafe", "vulnerab", "harmful", "risk", "regex", "rule:", "flag ", "red flag",
	"금지", "하지 마", "하지 않", "위험", "차단", "주의",
}
