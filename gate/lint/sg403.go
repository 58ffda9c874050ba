package lint

import "fmt"

var neverUsed = &Rule{
	ID:       "SG403",
	Title:    "named often and never loaded",
	Why:      "the gate names it and the model does not take it: it costs room in every such prompt",
	Advice:   "make the description say for which requests it is, or delete the skill",
	See:      "https://github.com/skillgate/skillgate",
	Since:    v1,
	Group:    GroupLibrary,
	Severity: Info,
	Bad:      Example{Files: []ExampleFile{skill("pdf", "Fills PDF forms.")}, Usage: map[string]Usage{"pdf": {Named: 31}}},
	Good:     Example{Files: []ExampleFile{skill("pdf", "Fills PDF forms.")}, Usage: map[string]Usage{"pdf": {Named: 31, Loaded: 3}}},
	Within: func(l *Library, s *Skill, report Report) {
		if u, ok := l.Usage[s.Name]; ok && u.Named >= minNamed && u.Loaded == 0 {
			report(Problem{At: s.DescriptionPlace(), Text: fmt.Sprintf("named %d times in %d days, loaded never", u.Named, l.Days)})
		}
	},
}

const minNamed = 20 // prompts; fewer may be chance
