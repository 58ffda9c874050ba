package hooks

import (
	"path/filepath"
	"strings"

	"github.com/skillgate/skillgate/gate/regular"
)

// Codex is the Codex CLI. Its input is the same as Claude Code's, plus a turn_id.
var Codex = Host{
	Name:        "codex",
	Title:       "Codex",
	PromptEvent: "UserPromptSubmit",
	Mark:        "turn_id",
	reply:       nested,

	Program:   "codex",
	Folder:    ".codex",
	FolderVar: "CODEX_HOME",
	Settings:  "hooks.json",

	handlers: []Handler{{Event: "UserPromptSubmit", Args: []string{"hook"}, Timeout: hookTimeout, Shell: true}},
	skills:   "codex",
	ByPath:   true,
	Inert:    "type /hooks in Codex and trust the hook; until then, Codex and codex exec do not run it",
	Trusted:  codexTrusts,
}

// codexTrusts reports whether, according to Codex's settings, the user has ever trusted a prompt hook in file. It does
// not compare the hook with its checksum in the settings:
//
//	[hooks.state."/home/ann/.codex/hooks.json:user_prompt_submit:0:0"]
//	trusted_hash = "sha256:…"
func codexTrusts(home, file string) bool {
	text, err := regular.Read(filepath.Join(home, "config.toml"), 1<<20)
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(text), file+":user_prompt_submit:")
	table, _, _ := strings.Cut(after, "\n[")
	return strings.Contains(table, "trusted_hash")
}
