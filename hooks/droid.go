package hooks

// Droid is Factory's Droid, according to its documentation (docs.factory.ai, hooks reference, autumn 2026). Its
// event, input and answer are the same as Claude Code's, so the command must name the host.
var Droid = Host{
	Name:        "droid",
	Title:       "Droid",
	PromptEvent: "UserPromptSubmit",
	Told:        true,
	reply:       nested,

	Program:  "droid",
	Folder:   ".factory",
	Settings: "settings.json",
	Local:    "settings.local.json",
	Instead:  "hooks.json",

	handlers:  []Handler{{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout, Shell: true}},
	skills:    "factory",
	inProject: ".factory",
	ByPath:    true,
}
