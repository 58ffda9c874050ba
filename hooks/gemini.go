package hooks

import "github.com/skillgate/skillgate/gate/dirs"

// Gemini is the Gemini CLI, whose timeouts are in milliseconds. 0.61.0 blocks a prompt whose hook
// cannot be run.
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
	places: geminiPlaces,
	ByPath: true,

	NoListing: "how Gemini CLI lists skills has not been measured: what holds for Claude Code does not hold for it",
}

func geminiPlaces(home, folder string) dirs.Hosts {
	return ownPlaces(home, folder, "gemini", ".gemini")
}
