package hooks

import (
	"path/filepath"
	"runtime"

	"github.com/skillgate/skillgate/gate/dirs"
)

// Claude is Claude Code, 2.1.197 and later.
var Claude = Host{
	Name:        "claude",
	Title:       "Claude Code",
	PromptEvent: "UserPromptSubmit",
	reply:       nested,

	Folder:    ".claude",
	FolderVar: "CLAUDE_CONFIG_DIR",
	Settings:  "settings.json",
	Local:     "settings.local.json",
	Plain:     true,
	StartOnly: true,

	handlers: []Handler{
		{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout},
		{Event: beforeTool, Args: []string{"hook"}, Timeout: hookTimeout},
		{Event: afterTool, Args: []string{"observe"}, Async: true},
		{Event: "UserPromptExpansion", Args: []string{"observe"}, Async: true},
		{Event: "SessionStart", Args: []string{"observe"}, Async: true},
		{Event: "ConfigChange", Args: []string{"observe"}, Async: true, Matcher: "skills"},
	},
	Tools: Tools{Skill: "Skill", Agents: []string{"Task", "Agent"}, Read: "Read"},

	places:      claudePlaces,
	transcripts: "projects",
	Listing: &Listing{
		Fraction: 0.01, BudgetVar: "SLASH_COMMAND_TOOL_CHAR_BUDGET", Bundled: 4200, MaxDesc: 1536, Window: 200_000,
		CharsPerToken: 4, LongWindow: 200_000, LongCharsPerToken: 3,
	},
}

func claudePlaces(_, folder string) dirs.Hosts {
	managed := "/etc/claude-code"
	if runtime.GOOS == "darwin" {
		managed = "/Library/Application Support/ClaudeCode"
	}
	return dirs.Hosts{
		Name: folder,
		Folders: []dirs.Folder{
			{Path: filepath.Join(managed, ".claude"), Label: dirs.Enterprise, Agents: true},
			{Path: folder, Label: "personal", Agents: true},
			{Path: ".claude", Label: "project", Agents: true, Project: true},
		},
		Plugins: []string{filepath.Join(folder, "plugins", "installed_plugins.json")},
		Policy: dirs.Policy{
			User:    filepath.Join(folder, "settings.json"),
			Project: []string{".claude/settings.json", ".claude/settings.local.json"},
			Managed: filepath.Join(managed, "managed-settings.json"), ManagedParts: filepath.Join(managed, "managed-settings.d"),
		},
	}
}
