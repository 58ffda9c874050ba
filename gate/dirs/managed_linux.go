package dirs

const managed = "/etc/claude-code"
