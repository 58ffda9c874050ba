package hooks

// Kiro is the Kiro CLI, according to its documentation (kiro.dev/docs/cli/hooks, autumn 2026). Hooks belong to an
// agent, so skillgate has an agent of its own. The hook's output is the context. The input has no session.
var Kiro = Host{
	Name:        "kiro",
	Title:       "Kiro CLI",
	PromptEvent: "userPromptSubmit",
	Told:        true,
	reply:       text,

	Program:  "kiro-cli",
	Folder:   ".kiro",
	Settings: "agents/skillgate.json",

	handlers: []Handler{{
		Event: "userPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout * 1000, Shell: true,
		Form: Form{Kind: Flat, Ms: true, New: kiroAgent},
	}},
	skills:    "kiro",
	inProject: ".kiro",
	ByPath:    true,
	Inert: "`kiro-cli agent set-default skillgate` makes it the agent, as does `kiro-cli chat --agent skillgate` for " +
		"one session",
}

// kiroAgent is an agent with all tools and the resources of the built-in agent.
const kiroAgent = `{
  "name": "skillgate",
  "description": "The default agent, with hints about skills",
  "tools": [
    "*"
  ],
  "resources": [
    "file://AGENTS.md",
    "file://README.md",
    "skill://.kiro/skills/**/SKILL.md",
    "skill://~/.kiro/skills/**/SKILL.md"
  ]
}
`
