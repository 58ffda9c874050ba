package hooks

// Gemini is the Gemini CLI. Its timeouts are in milliseconds. Version 0.61.0 blocks a prompt if the hook cannot be run.
var Gemini = Host{
	Name:        "gemini",
	Title:       "Gemini CLI",
	PromptEvent: "BeforeAgent",
	reply:       nested,

	Program:  "gemini",
	Folder:   ".gemini",
	Settings: "settings.json",

	handlers: []Handler{
		{
			Event: "BeforeAgent", Args: []string{"hook"}, Timeout: hookTimeout * 1000,
			Shell: true, Lenient: true, Name: "skillgate",
		},
	},
	skills:    "gemini",
	inProject: ".gemini",
	ByPath:    true,
}
