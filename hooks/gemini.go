package hooks

// Gemini is the Gemini CLI, whose timeouts are in milliseconds.
var Gemini = Host{
	Name:        "gemini",
	Title:       "Gemini CLI",
	PromptEvent: "BeforeAgent",
	reply:       nested,

	Folder:   ".gemini",
	Settings: "settings.json",

	handlers: []Handler{
		{Event: "BeforeAgent", Args: []string{"hook"}, Timeout: hookTimeout * 1000, Shell: true, Name: "skillgate"},
	},
	places: sharedPlaces,
	ByPath: true,

	NoListing: "how Gemini CLI lists skills has not been measured: what holds for Claude Code does not hold for it",
}
