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
	Title    string        `json:"title"`
	Group    string        `json:"group"`
	Severity lint.Severity `json:"severity"` // severity after settings are applied
	Fixes    bool          `json:"fixes"`
	Since    string        `json:"since"`
	Why      string        `json:"why"`
	Advice   string        `json:"advice"`
	See      string        `json:"see"`
	Risk     float64       `json:"risk,omitempty"`
	Bad      string        `json:"bad"`
	Good     string        `json:"good"`
}

// Rules lists every rule with its effective severity.
func Rules(severity map[string]lint.Severity) []RuleJSON {
	out := make([]RuleJSON, 0, len(lint.All))
	for _, r := range lint.All {
		t := r.Text()
		one := RuleJSON{
			ID: r.ID, Title: t.Title, Group: r.Group(), Severity: r.Severity, Fixes: r.Fixes, Since: t.Since,
			Why: t.Why, Advice: t.Advice, See: t.See, Risk: r.Risk, Bad: t.Bad.String(), Good: t.Good.String(),
		}
		if v, ok := severity[r.ID]; ok {
			one.Severity = v
		}
		out = append(out, one)
	}
	return out
}
