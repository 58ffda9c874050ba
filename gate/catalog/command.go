package catalog

// HostCommand reports whether Claude Code 2.1.197 or 2.1.330 has a built-in command with that name or alias, which
// hides a skill of the same name.
func HostCommand(name string) bool {
	switch name {
	case "access", "add-dir", "advisor", "agents", "allowed-tools", "app", "artifacts", "auto-mode-setup",
		"autocompact", "autofix-pr", "background", "bashes", "bg", "branch", "brief", "btw", "bug", "cd",
		"checkpoint", "chrome", "clear", "cloud-plugins", "color", "compact", "config", "context", "continue", "copy",
		"cost", "daemon", "design-login", "desktop", "diff", "doctor", "effort", "exit", "export", "fast", "feedback",
		"focus", "fork", "goal", "heapdump", "help", "hooks", "ide", "import", "init", "init-verifiers", "insights",
		"install", "install-github-app", "keybindings", "list-agents", "login", "logout", "marketplace", "mcp",
		"memory", "model", "name", "new", "output-style", "passes", "peers", "permissions", "plan", "plugin",
		"plugins", "powerup", "privacy-settings", "quit", "radio", "rate-limit-options", "rc", "recap",
		"reload-plugins", "reload-skills", "remote-control", "remote-env", "rename", "reset", "restart", "resume",
		"review", "rewind", "scroll-speed", "settings", "setup-bedrock", "setup-vertex", "share", "skill-doctor",
		"skills", "stats", "status", "statusline", "stickers", "stop", "subtask", "tasks", "team-onboarding",
		"teleport", "terminal-setup", "theme", "todos", "tp", "tui", "ultraplan", "ultrareview", "undo", "update",
		"upgrade", "usage", "usage-credits", "use-case", "voice", "web-setup", "workflows":
		return true
	}
	return false
}
