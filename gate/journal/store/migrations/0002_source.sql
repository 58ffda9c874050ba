-- The caller: '' is the hook, 'mcp' a client of the MCP server.
ALTER TABLE decision ADD COLUMN source TEXT NOT NULL DEFAULT '';
