package report

import (
	"encoding/json"
	"io"

	"github.com/skillgate/skillgate/gate/lint"
)

// WriteJSON writes a result as one JSON object.
func WriteJSON(out io.Writer, res *lint.Result) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(JSON{JSONVersion, res})
}

// RuleJSON is one element of the output of `lint rules --json`.
type RuleJSON struct {
	ID       string        `json:"id"`
	Group    string        `json:"group"`
	Severity lint.Severity `json:"severity"` // severity after settings are applied
	Fixes    bool          `json:"fixes"`
	Risk     float64       `json:"risk,omitempty"`
	*lint.Text
}

// Rules lists every rule with its effective severity.
func Rules(severity map[string]lint.Severity) []RuleJSON {
	out := make([]RuleJSON, 0, len(lint.All))
	for _, r := range lint.All {
		one := RuleJSON{ID: r.ID, Group: r.Group(), Severity: r.Severity, Fixes: r.Fixes, Risk: r.Risk, Text: r.Text()}
		if v, ok := severity[r.ID]; ok {
			one.Severity = v
		}
		out = append(out, one)
	}
	return out
}
