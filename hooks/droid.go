package hooks

// Droid is Factory's Droid, as its documentation describes it (docs.factory.ai, hooks reference,
// autumn 2026): the event, input and reply of Claude Code, so that the command tells it.
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
