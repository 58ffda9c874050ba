package hooks

// Copilot is the GitHub Copilot CLI, 1.0.65 and later. 1.0.102 takes the registration of Claude
// Code in its settings and sends nearly the input of Claude Code, with a timestamp as Qwen Code
// does, but of a prompt's hook it reads only a bare additionalContext. Older versions drop that.
var Copilot = Host{
	Name:        "copilot",
	Title:       "Copilot CLI",
	PromptEvent: "UserPromptSubmit",
	Told:        true,
	reply:       bare,

	Program:   "copilot",
	Folder:    ".copilot",
	FolderVar: "COPILOT_HOME",
	Settings:  "settings.json",
	Project:   ".github/copilot/settings.json",

	handlers:  []Handler{{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout, Shell: true}},
	skills:    "copilot",
	inProject: ".github",
	ByPath:    true,
}

func bare(_, context string) any {
	return struct {
		Context string `json:"additionalContext"`
	}{context}
}
