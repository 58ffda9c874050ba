package catalog

import (
	"path/filepath"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Commands are the folders of commands, each a file NAME.md, that Claude Code reads in cwd.
// They need not be there.
func Commands(d dirs.Dirs, cwd string) []string {
	var out []string
	for _, f := range d.Hosts.Folders {
		switch {
		case f.ByPath:
		case f.Project:
			for _, dir := range projectDirs(d.Home, cwd) {
				out = append(out, filepath.Join(dir, f.Path, "commands"))
			}
		default:
			out = append(out, filepath.Join(f.Path, "commands"))
		}
	}
	return out
}

// HostCommand reports whether Claude Code, 2.1.197 or 2.1.330, has a command of its own with that
// name, which a skill of the name stands in the way of.
func HostCommand(name string) bool {
	switch name {
	case "access", "add-dir", "advisor", "agents", "artifacts", "auto-mode-setup", "autocompact", "autofix-pr",
		"background",
		"bashes", "branch", "brief", "btw", "bug", "cd", "chrome", "clear", "cloud-plugins", "color", "compact",
		"config", "context", "copy", "cost", "daemon", "design-login", "desktop", "diff", "doctor", "effort",
		"exit", "export", "fast", "feedback", "focus", "fork", "goal", "heapdump", "help", "hooks", "ide",
		"import", "init", "init-verifiers", "insights", "install", "install-github-app", "keybindings",
		"list-agents", "login", "logout", "mcp", "memory", "model", "output-style", "passes", "permissions",
		"plan", "plugin", "powerup", "privacy-settings", "quit", "radio", "rate-limit-options", "recap",
		"reload-plugins", "reload-skills", "remote-control", "remote-env", "rename", "restart", "resume",
		"review", "rewind", "scroll-speed", "setup-bedrock", "setup-vertex", "skill-doctor", "skills", "stats",
		"status", "statusline", "stickers", "stop", "subtask", "tasks", "team-onboarding", "teleport",
		"terminal-setup", "theme", "todos", "tui", "ultraplan", "ultrareview", "upgrade", "usage",
		"usage-credits", "use-case", "vim", "voice", "web-setup", "workflows":
		return true
	}
	return false
}
