package hooks

// Cursor takes no context from a prompt's hook (cursor.com/docs/agent/hooks, autumn 2026). It gets skillgate's MCP
// server instead, whose tools the model may call.
var Cursor = Host{
	Name:  "cursor",
	Title: "Cursor",

	Program:  "cursor-agent",
	Folder:   ".cursor",
	Settings: "mcp.json",

	handlers:  []Handler{{Args: []string{"mcp"}, Form: Form{Kind: Server}}},
	skills:    "cursor",
	inProject: ".cursor",
	ByPath:    true,
	Inert: "Cursor takes no hints from hooks, so it has the tools skill_lookup and skill_load, " +
		"which its model calls as it sees fit",
}
