package hooks

// Copilot is the GitHub Copilot CLI, 1.0.65 and later. Version 1.0.102 accepts hooks registered in Claude Code's format
// and sends nearly the same input, plus a timestamp like Qwen Code's. In the answer to a prompt it reads only a
// top-level additionalContext, which versions before 1.0.65 ignore.
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
