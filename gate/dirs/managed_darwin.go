package dirs

const managed = "/Library/Application Support/ClaudeCode"
