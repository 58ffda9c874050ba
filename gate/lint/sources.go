package lint

// Where rules come from.
const (
	specURL     = "https://agentskills.io/specification"
	skillsURL   = "https://code.claude.com/docs/en/skills"
	skillsRef   = "https://github.com/agentskills/agentskills/tree/main/skills-ref"
	validateURL = "https://github.com/anthropics/skills/blob/main/skills/skill-creator/scripts/quick_validate.py"
	practiceURL = "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/best-practices"
	sraURL      = "https://arxiv.org/abs/2604.24594"
	unicodeURL  = "https://www.unicode.org/reports/tr36/"
	trojanURL   = "https://trojansource.codes"
	owaspURL    = "https://genai.owasp.org/llmrisk/llm01-prompt-injection/"
)

const v1 = "v0.1.0"

// Limits of hosts and of the specification, in characters.
const (
	maxName          = 64
	maxDescription   = 1024
	maxListing       = 1536
	maxCompatibility = 500
	maxBodyLines     = 500
)
