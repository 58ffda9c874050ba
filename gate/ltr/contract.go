package ltr

import (
	"strings"

	"github.com/skillgate/skillgate/gate/rank"
)

// isInput reports whether a concept is something that the prompt brings along: a
// file, a link, an identifier.
func isInput(c *rank.Concept) bool { return strings.ContainsAny(c.Surface, "./:_@") }

// isOutput reports whether a concept may be a kind of result. The terms are stems,
// as Korean words have them among their senses.
func isOutput(c *rank.Concept) bool {
	for i := range c.Alts {
		switch c.Alts[i].Term {
		case "report", "summari", "memo", "brief", "newslett", "articl", "essay", "paper", "abstract", "transcript", "minut", "agenda", "note",
			"letter", "resum", "proposal", "contract", "invoic", "quot", "polici", "spec", "prd", "adr", "rfc", "runbook", "checklist", "roadmap",
			"slide", "deck", "present", "pptx", "powerpoint", "docx", "word", "pdf", "xlsx", "excel", "spreadsheet", "csv", "json", "yaml", "xml", "markdown",
			"html", "readm", "changelog", "documentat", "tutori", "guid", "wiki",
			"chart", "graph", "plot", "diagram", "flowchart", "map", "tabl", "dashboard", "infograph", "poster", "logo", "icon", "banner", "thumbnail",
			"imag", "photo", "illustr", "video", "anim", "gif", "audio", "podcast", "music", "voic", "subtitl", "caption",
			"mockup", "wirefram", "prototyp", "landing", "site", "websit", "page", "app", "game", "extens", "plugin", "bot",
			"test", "script", "queri", "schema", "migrat", "api", "sdk", "cli", "dockerfil", "workflow", "pipelin", "manifest", "chang":
			return true
		}
	}
	return false
}
