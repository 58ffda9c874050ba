package hooks

// Qwen is Qwen Code. Its event and answer are the same as Claude Code's; its timeouts are in milliseconds, and every
// input has a timestamp. When Qwen Code returns tool results to the model, it also runs the hook with an empty prompt,
// which gets no answer.
var Qwen = Host{
	Name:        "qwen",
	Title:       "Qwen Code",
	PromptEvent: "UserPromptSubmit",
	Mark:        "timestamp",
	reply:       nested,

	Program:   "qwen",
	Folder:    ".qwen",
	FolderVar: "QWEN_HOME",
	Settings:  "settings.json",

	handlers: []Handler{
		{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout * 1000, Shell: true, Name: "skillgate"},
	},
	skills:    "qwen",
	inProject: ".qwen",
	ByPath:    true,
}
