package hooks

import "github.com/skillgate/skillgate/gate/dirs"

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

	handlers: []Handler{{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout, Shell: true}},
	places:   droidPlaces,
	ByPath:   true,

	NoListing: "how Droid lists skills has not been measured: what holds for Claude Code does not hold for it",
}

func droidPlaces(home, folder string) dirs.Hosts {
	return ownPlaces(home, folder, "factory", ".factory")
}
