package log

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/cells"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/triage"
)

// logColumns are log's columns; width is what --follow gives each, in cells.
var columns = []struct {
	name  string
	width int
	right bool
}{
	{"time", 14, false}, {"verdict", 22, false}, {"lang", 5, false}, {"prompt", promptCells, false}, {"skills", 40, false},
	{"need", 4, true}, {"score", 5, true}, {"ms", 6, true}, {"followed", 16, false},
}

const promptCells = 40 // of a prompt's head

// logTable lays out decisions: as one table, or row by row.
type layout struct {
	w      table.Writer
	zone   *time.Location
	out    io.Writer
	colour bool
	begun  bool
}

func newTable(a *app.App) *layout {
	t := &layout{w: app.NewTable(), zone: a.Now().Location(), out: a.Stdout, colour: a.Colour(a.Stdout)}
	if t.colour {
		t.out = app.Raw(a.Stdout) // every cell is made visible before it is painted
	}
	var head table.Row
	var config []table.ColumnConfig
	for i, c := range columns {
		head = append(head, c.name)
		if c.right {
			config = append(config, table.ColumnConfig{Number: i + 1, Align: text.AlignRight})
		}
	}
	t.w.AppendHeader(head)
	t.w.SetColumnConfigs(config)
	return t
}

func (t *layout) add(e store.Entry) {
	var row table.Row
	for _, cell := range t.cells(e) {
		row = append(row, cell)
	}
	t.w.AppendRow(row)
}

func (t *layout) print() error {
	var b strings.Builder
	app.WriteTable(&b, t.w)
	_, err := io.WriteString(t.out, b.String())
	return err
}

// printRow prints one row at once, after the heads of the columns the first time.
func (t *layout) printRow(e store.Entry) error {
	rows := [][]string{t.cells(e)}
	if !t.begun {
		t.begun = true
		var head []string
		for _, c := range columns {
			head = append(head, c.name)
		}
		rows = append([][]string{head}, rows...)
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			align := text.AlignLeft
			if columns[i].right {
				align = text.AlignRight
			}
			b.WriteString(align.Apply(cell, columns[i].width) + "  ")
		}
		if _, err := fmt.Fprintln(t.out, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

func (t *layout) cells(e store.Entry) []string {
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
	return []string{
		e.Time.In(t.zone).Format("01-02 15:04:05"), t.paint(d.Verdict, app.Visible(verdict)), app.Visible(d.Lang),
		cells.Clip(app.Visible(triage.Typed(e.PromptText())), promptCells), app.Visible(topSkills(d)), need, score,
		fmt.Sprintf("%.1f", d.Ms.Total), app.Visible(followedText(e)),
	}
}

// paint colours a verdict on a terminal.
func (t *layout) paint(v gate.Verdict, s string) string {
	colours := map[gate.Verdict]text.Color{gate.Inject: text.FgGreen, gate.Force: text.FgCyan, gate.Error: text.FgRed,
		gate.Skip: text.Faint}
	c, ok := colours[v]
	if !t.colour || !ok {
		return s
	}
	return c.EscapeSeq() + s + text.Reset.EscapeSeq()
}

// topSkills names what was injected, or in brackets the first candidate.
func topSkills(d *gate.Decision) string {
	var names []string
	more := 0
	for _, c := range d.Candidates {
		switch {
		case !c.Injected:
		case len(names) < 2:
			names = append(names, app.Visible(c.Name))
		default:
			more++
		}
	}
	if len(names) == 0 && len(d.Candidates) > 0 {
		return "(" + app.Visible(d.Candidates[0].Name) + ")"
	}
	out := strings.Join(names, ", ")
	if more > 0 {
		out += fmt.Sprintf(" +%d", more)
	}
	return out
}

// followedText says what came of a prompt.
func followedText(e store.Entry) string {
	if e.Source != "" {
		return e.Source
	}
	var parts []string
	switch e.Followed {
	case "":
	case outcome.Unknown:
		parts = append(parts, "?")
	default:
		parts = append(parts, string(e.Followed))
	}
	if len(e.Missed) > 0 {
		parts = append(parts, "missed "+app.Visible(strings.Join(e.Missed, ", ")))
	}
	turn := e.Turn()
	if typed := turn.Typed(); len(typed) > 0 {
		parts = append(parts, "typed "+app.Visible(strings.Join(typed, ", ")))
	}
	return strings.Join(parts, ", ")
}
