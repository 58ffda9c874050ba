package catalog

import (
	"path"
	"strings"
)

// References returns how many files of its own folder the body names: paths below
// one of the folders that the specification has for them, and names of Markdown
// files. The model may have to read them before the skill is of use.
func (e *Entry) References() int {
	seen := map[string]bool{}
	apart := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '.' || r == '/' || r == '-')
	}
	for word := range strings.FieldsFuncSeq(e.Body, apart) {
		word = strings.TrimRight(strings.TrimPrefix(word, "./"), ".")
		if ext := path.Ext(word); len(ext) < 2 || ext == word {
			continue
		}
		folder, _, below := strings.Cut(word, "/")
		switch folder {
		case "scripts", "references", "reference", "assets", "templates", "examples", "resources":
			if below {
				seen[word] = true
			}
		default:
			if !below && path.Ext(word) == ".md" && word != "SKILL.md" {
				seen[word] = true
			}
		}
	}
	return len(seen)
}
