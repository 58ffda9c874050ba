package log

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/outcome"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/triage"
)

// columns are log's; width is what --follow gives each, in cells. The wide ones are left out
// where the terminal is narrow.
var columns = []struct {
	name  string
	width int
	right bool
	wide  bool
}{
	{"time", 14, false, false}, {"verdict", 22, false, false}, {"lang", 5, false, true},
	{"prompt", promptCells, false, false},
	{"skills", 40, false, false}, {"need", 4, true, true}, {"score", 5, true, true}, {"ms", 6, true, true},
	{"followed", 16, false, false},
}

const (
	promptCells = 40  // of a prompt's head
	narrow      = 110 // below it the wide columns are left out
)

// layout prints decisions as a table: whole, or row by row.
type layout struct {
	zone   *time.Location
	say    func(string) string // a text in the user's language
	out    io.Writer
	colour bool
	total  int // cells of the terminal, 0 for none
	shown  []int
	rows   [][]string
	tints  []text.Color // of the rows' verdicts
	widths []int        // nil until the first row is printed
}

func newTable(a *app.App) *layout {
	t := &layout{zone: a.Now().Location(), say: a.T, out: a.Stdout, colour: a.Colour(a.Stdout), total: a.Columns()}
	if t.colour {
		t.out = app.Raw(a.Stdout) // every cell is made visible before it is painted
	}
	head := []string{}
	for i, c := range columns {
		if !c.wide || t.total == 0 || t.total >= narrow {
			t.shown = append(t.shown, i)
			head = append(head, a.T(c.name))
		}
	}
	t.rows, t.tints = [][]string{head}, []text.Color{0}
	return t
}

func (t *layout) add(e store.Entry) {
	all := t.cells(e)
	row := make([]string, len(t.shown))
	for i, c := range t.shown {
		row[i] = all[c]
	}
	t.rows, t.tints = append(t.rows, row), append(t.tints, verdictColours[e.Decision.Verdict])
}

const gap = "  " // between columns

// print prints all rows, each column as wide as its widest cell if the terminal allows that.
func (t *layout) print() error {
	t.widths = make([]int, len(t.shown))
	words := make([]int, len(t.shown))
	for _, row := range t.rows {
		for i, cell := range row {
			t.widths[i], words[i] = max(t.widths[i], wording.Width(cell)), max(words[i], wording.Longest(cell))
		}
	}
	t.fit(words)
	if err := t.flush(); err != nil {
		return err
	}
	_, err := io.WriteString(t.out, "\n")
	return err
}

// printRow prints one row at once, after the heads of the columns the first time.
func (t *layout) printRow(e store.Entry) error {
	if t.widths == nil {
		for _, c := range t.shown {
			t.widths = append(t.widths, columns[c].width)
		}
		t.fit(make([]int, len(t.shown)))
	}
	t.add(e)
	return t.flush()
}

func (t *layout) fit(words []int) {
	if t.total > 0 {
		app.Shrink(t.widths, words, t.total-len(gap)*(len(t.widths)-1))
	}
}

// flush writes the rows that were not written.
func (t *layout) flush() error {
	var b strings.Builder
	for n, row := range t.rows {
		for _, cells := range t.lines(row) {
			t.line(&b, cells, t.tints[n])
		}
	}
	t.rows, t.tints = t.rows[:0], t.tints[:0]
	_, err := io.WriteString(t.out, b.String())
	return err
}

// lines breaks the cells of a row, so that they fit the terminal, into lines of cells.
func (t *layout) lines(row []string) [][]string {
	if t.total == 0 {
		return [][]string{row}
	}
	var lines [][]string
	for i, cell := range row {
		for k, part := range app.Wrap(cell, t.widths[i]) {
			if k == len(lines) {
				lines = append(lines, make([]string, len(row)))
			}
			lines[k][i] = part
		}
	}
	return lines
}

// line writes one line of cells; tint is for the verdict, 0 for none.
func (t *layout) line(b *strings.Builder, row []string, tint text.Color) {
	var line strings.Builder
	for i, cell := range row {
		column := columns[t.shown[i]]
		blank := strings.Repeat(" ", max(0, t.widths[i]-wording.Width(cell)))
		if tint != 0 && t.colour && column.name == "verdict" {
			cell = tint.EscapeSeq() + cell + text.Reset.EscapeSeq()
		}
		if column.right {
			line.WriteString(blank + cell + gap)
		} else {
			line.WriteString(cell + blank + gap)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

// verdictColours are those on a terminal.
var verdictColours = map[gate.Verdict]text.Color{gate.Inject: text.FgGreen, gate.Force: text.FgCyan,
	gate.Error: text.FgRed,
	gate.Skip:  text.Faint}

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
		e.Time.In(t.zone).Format("01-02 15:04:05"), app.Visible(verdict), app.Visible(d.Lang),
		wording.Clip(app.Visible(triage.Typed(e.PromptText())), promptCells), app.Visible(topSkills(d)), need, score,
		fmt.Sprintf("%.1f", d.Ms.Total), app.Visible(t.followed(e)),
	}
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

// followed says what came of a prompt.
func (t *layout) followed(e store.Entry) string {
	if e.Source != "" {
		return e.Source
	}
	var parts []string
	switch e.Followed {
	case "":
	case outcome.Unknown:
		parts = append(parts, "?")
	default:
		parts = append(parts, t.say(string(e.Followed)))
	}
	if len(e.Missed) > 0 {
		parts = append(parts, fmt.Sprintf(t.say("missed %s"), app.Visible(strings.Join(e.Missed, ", "))))
	}
	turn := e.Turn()
	if typed := turn.Typed(); len(typed) > 0 {
		parts = append(parts, fmt.Sprintf(t.say("typed %s"), app.Visible(strings.Join(typed, ", "))))
	}
	return strings.Join(parts, ", ")
}
