package log

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/triage"
)

var columns = []struct {
	name        string
	right, wide bool
}{
	{"time", false, false}, {"verdict", false, false}, {"lang", false, true}, {"prompt", false, false},
	{"skills", false, false}, {"need", true, true}, {"score", true, true}, {"ms", true, true}, {"followed", false, false},
}

const (
	promptCells = 40  // width of the prompt column
	narrow      = 110 // terminal width below which wide columns are left out
)

func printTable(a *app.App, entries []store.Entry) error {
	var shown []int
	var head []any
	var configs []table.ColumnConfig
	for i, c := range columns {
		if c.wide && a.Columns() > 0 && a.Columns() < narrow {
			continue
		}
		shown, head = append(shown, i), append(head, a.T(c.name))
		if c.right {
			configs = append(configs, table.ColumnConfig{Number: len(shown), Align: text.AlignRight,
				AlignHeader: text.AlignRight})
		}
	}
	t := app.NewTable(head...)
	for _, e := range entries {
		all := cells(a, e)
		row := table.Row{}
		for _, i := range shown {
			row = append(row, all[i])
		}
		t.AppendRow(row)
	}
	return a.PrintTable(t, configs...)
}

func cells(a *app.App, e store.Entry) []string {
	d := e.Decision
	verdict := string(d.Verdict)
	if d.Reason != "" {
		verdict += "/" + string(d.Reason)
	}
	need, score := "", ""
	if d.Verdict != gate.Skip && d.Verdict != gate.Error {
		need = fmt.Sprintf("%.2f", d.Need)
		if len(d.Candidates) > 0 {
			score = fmt.Sprintf("%.1f", d.Candidates[0].Score)
		}
	}
	out := []string{
		e.Time.In(a.Now().Location()).Format("01-02 15:04:05"), verdict, d.Lang,
		wording.Clip(app.Visible(triage.Typed(e.PromptText())), promptCells), topSkills(d), need, score,
		fmt.Sprintf("%.1f", d.Ms.Total), followed(a, e),
	}
	for i := range out {
		out[i] = app.Visible(out[i])
	}
	return out
}

// topSkills returns the first two suggested skills, or the first candidate in brackets.
func topSkills(d *gate.Decision) string {
	var names []string
	more := 0
	for _, c := range d.Candidates {
		switch {
		case !c.Injected:
		case len(names) < 2:
			names = append(names, c.Name)
		default:
			more++
		}
	}
	if len(names) == 0 && len(d.Candidates) > 0 {
		return "(" + d.Candidates[0].Name + ")"
	}
	out := strings.Join(names, ", ")
	if more > 0 {
		out += fmt.Sprintf(" +%d", more)
	}
	return out
}

func followed(a *app.App, e store.Entry) string {
	if e.Source != "" {
		return e.Source
	}
	var parts []string
	switch e.Followed {
	case "":
	case outcome.Unknown:
		parts = append(parts, "?")
	default:
		parts = append(parts, a.T(string(e.Followed)))
	}
	if len(e.Missed) > 0 {
		parts = append(parts, a.Textf("missed %s", strings.Join(e.Missed, ", ")))
	}
	turn := e.Turn()
	if typed := turn.Typed(); len(typed) > 0 {
		parts = append(parts, a.Textf("typed %s", strings.Join(typed, ", ")))
	}
	return strings.Join(parts, ", ")
}
