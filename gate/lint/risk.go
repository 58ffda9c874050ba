package lint

import (
	"path/filepath"

	"github.com/skillgate/skillgate/gate/catalog"
)

// Risk returns the chance that a skill does harm, 0 to 1, as the safety rules see
// its text and the scripts beside it: what is left of 1 after the rules' chances,
// taken as independent. It reads e.Path's folder and may be called concurrently.
func Risk(e *catalog.Entry) float64 {
	text := e.Body
	if e.Frontmatter != "" {
		text = "---\n" + e.Frontmatter + "\n---\n" + e.Body
	}
	s := newSkill(*e, e.Path, text)
	if e.Path != "" && e.Pool == catalog.Skill {
		s.beside(filepath.Dir(e.Path))
	}
	safe := 1.0
	for _, r := range All {
		if r.Group != GroupSafety || r.Check == nil {
			continue
		}
		// A comment of the skill that silences a rule does not make it any safer.
		r.Check(s, func(Problem) { safe *= 1 - r.Risk })
	}
	return 1 - safe
}
