package hooks

// Codex is the Codex CLI: the event of Claude Code, with turn_id.
var Codex = Host{
	Name:        "codex",
	Title:       "Codex",
	PromptEvent: "UserPromptSubmit",
	Mark:        "turn_id",
	reply:       nested,

	Folder:    ".codex",
	FolderVar: "CODEX_HOME",
	Settings:  "hooks.json",

	handlers: []Handler{{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout, Shell: true}},
	places:   sharedPlaces,
	ByPath:   true,
	Inert:    "type /hooks in Codex and trust the hook: until then Codex does not run it, and codex exec waits for an answer",

	NoListing: "how Codex lists skills has not been measured: what holds for Claude Code does not hold for it",
}
