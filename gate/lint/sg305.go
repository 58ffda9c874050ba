package lint

import "fmt"

var missingNeighbour = &Rule{
	ID:       "SG305",
	Title:    "boundary names a skill that is not there",
	Why:      "the model is sent to a skill that it cannot load; the name may be a skill that was renamed",
	Advice:   "name an installed skill, or say only what this one is not for",
	See:      sraURL,
	Since:    v1,
	Group:    GroupMeasured,
	Severity: Warning,
	Bad:      front("pdf", "Fills PDF forms. Use when a task names a form. Do NOT use for joining files (use pdf-joiner).").and("pdf-merge", "Joins PDF files into one."),
	Good:     front("pdf", "Fills PDF forms. Use when a task names a form. Do NOT use for joining files (use pdf-merge).").and("pdf-merge", "Joins PDF files into one."),
	Within: func(l *Library, s *Skill, report Report) {
		seen := map[string]bool{}
		for _, b := range s.Boundaries {
			for _, use := range b.Use {
				if seen[use] || len(l.Named(use)) > 0 {
					continue
				}
				seen[use] = true
				p := Problem{At: s.boundaryPlace(b.Not, use), Text: fmt.Sprintf("there is no skill %q", use)}
				if near := l.nearest(use); near != "" {
					p.Hint = fmt.Sprintf("perhaps %s was meant", near)
				}
				report(p)
			}
		}
	},
}

// boundaryPlace is the name of a skill where it stands behind what it is to be used for.
func (s *Skill) boundaryPlace(not, use string) Place {
	for _, key := range []string{"description", "when_to_use"} {
		k, ok := s.Front.Key(key)
		if !ok {
			continue
		}
		if _, end, ok := s.Src.find(not, k.End, k.Until); ok {
			if from, to, ok := s.Src.find(use, end, k.Until); ok {
				return s.Src.Span(from, to)
			}
		}
	}
	return s.InDescription(use)
}

// nearest returns the name that differs least from name, "" where none is near.
func (l *Library) nearest(name string) string {
	best, limit := "", 1+len(name)/6
	for _, n := range sortedNames(l.names) {
		if d := len(n) - len(name); d > limit || -d > limit {
			continue
		}
		if d := distance(name, n); d <= limit {
			best, limit = n, d-1
		}
	}
	return best
}
