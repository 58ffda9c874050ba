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
