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

	Program:   "claude",
	Folder:    ".claude",
	FolderVar: "CLAUDE_CONFIG_DIR",
	BeginVar:  "CLAUDE_PROJECT_DIR",
	Settings:  "settings.json",
	Local:     "settings.local.json",
	Plain:     true,
	StartOnly: true,
	PluginVar: "CLAUDE_PLUGIN_ROOT",
	ShortVar:  "CLAUDE_PLUGIN_OPTION_LISTING",

	handlers: []Handler{
		{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout},
		{Event: beforeTool, Args: []string{"hook"}, Timeout: hookTimeout},
		{Event: afterTool, Args: []string{"observe"}, Async: true},
		{Event: "UserPromptExpansion", Args: []string{"observe"}, Async: true},
		{Event: "Stop", Args: []string{"observe"}, Timeout: hookTimeout}, // not Async: claude -p would end it on exit
		{Event: "SessionStart", Args: []string{"observe", Begin}, Timeout: hookTimeout},
		{Event: "ConfigChange", Args: []string{"observe"}, Async: true, Matcher: "skills"},
	},
	Tools: Tools{Skill: "Skill", Agents: []string{"Task", "Agent"}, Read: "Read", Served: "mcp__"},

	places:      claudePlaces,
	transcripts: "projects",
	Listing: &Listing{
		Fraction: 0.01, BudgetVar: "SLASH_COMMAND_TOOL_CHAR_BUDGET", ModelVar: "ANTHROPIC_MODEL", MaxDesc: 1536,
		Models: []Model{
			{"claude-3", 200_000, 4}, {"opus-4-0", 200_000, 4}, {"opus-4-1", 200_000, 4},
			{"opus-4-2", 200_000, 4}, // matches opus-4-20250514
			{"opus-4-5", 200_000, 4}, {"opus-4-6", 200_000, 4}, {"sonnet-4", 200_000, 4}, {"haiku-4", 200_000, 4},
			{"", 1_000_000, 3},
		},
		LongMark: "[1m]",
		Own: []OwnSkill{ // as listed by Claude Code 2.1.330
			{"dataviz", 1436, 0}, {"update-config", 690, 0}, {"keybindings-help", 228, 0}, {"code-review", 835, 0},
			{"simplify", 176, 0}, {"fewer-permission-prompts", 163, 0}, {"loop", 336, 0}, {"claude-api", 1157, 2},
			{"workflow-authoring", 230, 0}, {"run", 361, 0}, {"plugin-authoring", 255, 0}, {"init", 59, 0},
			{"security-review", 71, 0},
		},
		Others: []string{
			"batch", "claude-in-chrome", "cowork-plugin", "debug", "deep-research", "design", "design-sync", "doctor",
			"review", "run-skill-generator", "schedule", "verify",
		},
		Uses:  ".claude.json",
		Again: "to every subagent that can load skills, and after each compaction",
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
