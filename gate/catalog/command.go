package catalog

// HostCommand reports whether Claude Code has a command of its own with that name, which
// reaches no hook and which a skill of the name stands in the way of.
func HostCommand(name string) bool {
	switch name {
	case "add-dir", "agents", "bashes", "bug", "clear", "compact", "config", "context", "cost", "doctor",
		"effort", "exit", "export", "fast", "feedback", "help", "hooks", "ide", "keybindings", "login",
		"logout", "mcp", "memory", "model", "output-style", "permissions", "plan", "plugin", "privacy-settings",
		"quit", "reload-plugins", "rename", "resume", "rewind", "skills", "stats", "status", "statusline",
		"tasks", "terminal-setup", "theme", "todos", "upgrade", "usage", "vim", "voice":
		return true
	}
	return false
}
