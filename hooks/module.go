package hooks

import _ "embed" // for the module files

// OpenCode, Kilo and Pi load JavaScript. skillgate's module passes the event to the hook in Claude Code's format and
// adds the hook's output to the prompt. If the hook cannot be run, the prompt stays unchanged.

//go:embed ask.js
var askModule string

//go:embed opencode.js
var openCodeModule string

//go:embed pi.js
var piModule string

// OpenCode runs a plugin's chat.message for prompts and for the tasks of its subagents.
var OpenCode = Host{
	Name:        "opencode",
	Title:       "OpenCode",
	PromptEvent: "UserPromptSubmit",
	Told:        true,
	reply:       text,

	Program:  "opencode",
	Folder:   ".config/opencode",
	Settings: "plugins/skillgate.js",
	Project:  ".opencode/plugins/skillgate.js",

	handlers:  moduleHandler,
	module:    &openCodeModule,
	skills:    "opencode",
	inProject: ".opencode",
	ByPath:    true,
}

// Kilo is the Kilo CLI, a fork of OpenCode.
var Kilo = Host{
	Name:        "kilo",
	Title:       "Kilo CLI",
	PromptEvent: "UserPromptSubmit",
	Told:        true,
	reply:       text,

	Program:  "kilo",
	Folder:   ".config/kilo",
	Settings: "plugins/skillgate.js",
	Project:  ".kilo/plugins/skillgate.js",

	handlers:  moduleHandler,
	module:    &openCodeModule,
	skills:    "kilo",
	inProject: ".kilo",
	ByPath:    true,
}

// Pi runs an extension's before_agent_start for prompts. It has no subagents.
var Pi = Host{
	Name:        "pi",
	Title:       "Pi",
	PromptEvent: "UserPromptSubmit",
	Told:        true,
	reply:       text,

	Program:   "pi",
	Folder:    ".pi/agent",
	Sign:      ".pi",
	FolderVar: "PI_CODING_AGENT_DIR",
	Settings:  "extensions/skillgate.js",
	Project:   ".pi/extensions/skillgate.js",

	handlers:  moduleHandler,
	module:    &piModule,
	skills:    "pi",
	inProject: ".pi",
	ByPath:    true,
}

var moduleHandler = []Handler{{
	Event: "UserPromptSubmit", Args: []string{"hook"}, Shell: true, Kind: Module,
}}

func text(_, context string) any { return context }
