package hooks

import (
	"path/filepath"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Cline is Cline in VS Code, according to its documentation (docs.cline.bot, hook reference, autumn 2026). For each
// event it runs the program of the same name. Cline's command line, 3.0.65, does not run it for prompts.
var Cline = Host{
	Name:        "cline",
	Title:       "Cline",
	PromptEvent: "UserPromptSubmit",
	Told:        true,
	name:        clineName,
	reply:       clineReply,

	Folder:   "Documents/Cline",
	Settings: "Hooks/UserPromptSubmit",
	Project:  ".clinerules/hooks/UserPromptSubmit",

	handlers: []Handler{{
		Event: "UserPromptSubmit", Args: []string{"hook"}, Shell: true, Lenient: true, Kind: Script,
	}},
	places: clinePlaces,
	ByPath: true,
	Inert: "switch on \"Enable Hooks\" in the settings of Cline in VS Code; " +
		"Cline's command line does not run hooks for prompts",
}

func clineName(key string) string {
	switch key {
	case "taskId":
		return "session_id"
	case "workspaceRoots":
		return firstCwd
	case "userPromptSubmit":
		return withPrompt
	}
	return key
}

func clineReply(_, context string) any {
	return struct {
		Cancel  bool   `json:"cancel"`
		Context string `json:"contextModification"`
	}{false, context}
}

func clinePlaces(home, _ string) dirs.Hosts {
	return ownPlaces(home, filepath.Join(home, ".cline"), "cline", ".cline")
}
