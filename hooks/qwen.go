package hooks

// Qwen is Qwen Code: the event and reply of Claude Code, timeouts in milliseconds, and a
// timestamp in every input. When it sends results of tools it raises the event too,
// with an empty prompt, which gets no answer.
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
