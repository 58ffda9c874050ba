package lint

import (
	"fmt"
	"slices"
	"strings"
)

var nearMissKey = &Rule{
	ID:       "SG114",
	Title:    "key is almost the name of one that counts",
	Why:      "hosts ignore unknown keys without a word, so the value has no effect",
	Advice:   "use the key's exact name",
	See:      skillsURL,
	Since:    v1,
	Group:    GroupFormat,
	Severity: Error,
	Fixes:    true,
	Bad:      file("pdf", "---\nname: pdf\ndescription: Fills PDF forms.\nwhen-to-use: Use when a task names a .pdf file.\n---\n# PDF\n\n1. Read the form.\n"),
	Good:     file("pdf", "---\nname: pdf\ndescription: Fills PDF forms.\nwhen_to_use: Use when a task names a .pdf file.\n---\n# PDF\n\n1. Read the form.\n"),
	Check: func(s *Skill, report Report) {
		for _, k := range s.Front.Keys {
			want := nearKey(k.Name)
			if want == "" {
				continue
			}
			p := Problem{At: s.Src.Span(k.Start, k.End), Text: fmt.Sprintf("%s is ignored", k.Name), Hint: fmt.Sprintf("the key is called %s", want)}
			if _, taken := s.Front.Key(want); !taken && s.Src.Text[k.Start:k.End] == k.Name {
				p.Fix = s.keepsYAML(&Fix{"rename it to " + want, []Edit{{k.Start, k.End, want}}})
			}
			report(p)
		}
	},
}

// specKeys are the fields of the Agent Skills specification: all that other hosts,
// the Skills API and the packaging script accept.
var specKeys = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}

// hostKeys are the further fields that Claude Code acts on.
var hostKeys = []string{
	"when_to_use", "argument-hint", "arguments", "disable-model-invocation", "user-invocable", "disallowed-tools",
	"model", "effort", "context", "agent", "background", "hooks", "paths", "shell",
}

func knownKey(name string) bool {
	return slices.Contains(specKeys, name) || slices.Contains(hostKeys, name)
}

// nearKey returns the known key that name was probably meant to be, "" for none.
func nearKey(name string) string {
	if knownKey(name) {
		return ""
	}
	if base, lang, ok := cutLast(name); ok && knownKey(base) && languageCode.get().MatchString(lang) {
		return "" // description_en: one more language, not another way to write the key
	}
	flat := flatKey(name)
	for _, list := range [][]string{specKeys, hostKeys} {
		for _, k := range list {
			if flat == flatKey(k) {
				return k
			}
		}
	}
	// Short keys are within a letter of too many words: tags, title, agents.
	if len(flat) < 7 {
		return ""
	}
	for _, list := range [][]string{specKeys, hostKeys} {
		for _, k := range list {
			limit := 1
			if len(k) >= 10 {
				limit = 2
			}
			if len(k) >= 7 && distance(flat, flatKey(k)) <= limit {
				return k
			}
		}
	}
	return ""
}

// cutLast cuts a name at its last hyphen or underscore.
func cutLast(name string) (base, last string, ok bool) {
	i := strings.LastIndexAny(name, "-_")
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

var languageCode = lazy(`^(?:en|ko|kr|ja|jp|zh|cn|tw|de|fr|es|pt|it|ru|vi|id|th|hi|ar)$`)

func flatKey(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// distance is the number of letters to insert, delete or replace.
func distance(from, to string) int {
	a, b := []rune(from), []rune(to)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(row[j]+1, row[j-1]+1, cost)
		}
	}
	return row[len(b)]
}
