package app

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skillgate/skillgate/gate/wording"
)

// NewTable returns a table whose columns are separated by spaces. header may be empty.
func NewTable(header ...any) table.Writer {
	t := table.NewWriter()
	if len(header) > 0 {
		t.AppendHeader(header)
	}
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	t.Style().Box.PaddingLeft = ""
	t.Style().Box.PaddingRight = "  "
	return t
}

// WriteTable writes t in full width and without trailing spaces, followed by an empty line.
func WriteTable(w io.Writer, t table.Writer) error { return writeTable(w, t.Render()) }

func writeTable(w io.Writer, text string) error {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// PrintTable writes t to standard output as FitTable does.
func (a *App) PrintTable(t table.Writer, configs ...table.ColumnConfig) error {
	return writeTable(a.Stdout, a.fit(t, configs))
}

// FitTable writes t, which must have all its rows, and narrows the widest columns to fit the terminal on standard
// output. Cells are broken by Wrap. If the words of a row do not fit side by side, its cells are written below
// each other. configs contains further options of the columns.
func (a *App) FitTable(b *strings.Builder, t table.Writer, configs ...table.ColumnConfig) {
	_ = writeTable(b, a.fit(t, configs)) // a strings.Builder never fails
}

func (a *App) fit(t table.Writer, configs []table.ColumnConfig) string {
	t.SetColumnConfigs(configs)
	width := 0
	for line := range strings.Lines(t.Render()) {
		width = max(width, wording.Width(strings.TrimRight(line, " \n")))
	}
	over := width - a.Columns()
	if a.Columns() == 0 || over <= 0 {
		return t.Render()
	}
	var widths, words []int
	var rows [][]string
	total, least := 0, 0
	for line := range strings.Lines(t.RenderTSV()) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rows = append(rows, row)
		for i, cell := range row {
			if text, ok := strings.CutPrefix(cell, `"`); ok { // quoted by RenderTSV
				cell = strings.ReplaceAll(strings.TrimSuffix(text, `"`), `""`, `"`)
				row[i] = cell
			}
			if i == len(widths) {
				widths, words = append(widths, 0), append(words, 0)
			}
			least += max(wording.Longest(cell)-words[i], 0)
			words[i] = max(words[i], wording.Longest(cell))
			total += max(wording.Width(cell)-widths[i], 0)
			widths[i] = max(widths[i], wording.Width(cell))
		}
	}
	if least > total-over && len(rows) > t.Length() {
		return stack(rows[0], rows[1:], a.Columns())
	}
	Shrink(widths, words, total-over)
	for i, n := range widths {
		c := table.ColumnConfig{Number: i + 1}
		if at := slices.IndexFunc(configs, func(c table.ColumnConfig) bool { return c.Number == i+1 }); at >= 0 {
			c = configs[at]
			configs = slices.Delete(slices.Clone(configs), at, at+1)
		}
		c.WidthMax = n
		c.WidthMaxEnforcer = func(s string, n int) string { return strings.Join(Wrap(s, n), "\n") }
		configs = append(configs, c)
	}
	t.SetColumnConfigs(configs)
	return t.Render()
}

func stack(header []string, rows [][]string, width int) string {
	label := 0
	for _, h := range header {
		label = max(label, wording.Width(h))
	}
	label = min(label, width/2) + 2
	var blocks []string
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			if cell == "" {
				continue
			}
			names := Wrap(header[i], label-2)
			for n, line := range Wrap(cell, width-label) {
				name := ""
				if n < len(names) {
					name = names[n]
				}
				b.WriteString(name + strings.Repeat(" ", label-wording.Width(name)) + line + "\n")
			}
		}
		blocks = append(blocks, b.String())
	}
	return strings.Join(blocks, "\n")
}

// Wrap breaks s into lines of at most n cells, between words and, for longer words, as wording.Break does.
func Wrap(s string, n int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		for i, piece := range wording.Break(word, n) {
			switch {
			case line == "":
				line = piece
			case i == 0 && wording.Width(line)+1+wording.Width(piece) <= n:
				line += " " + piece
			default:
				lines = append(lines, line)
				line = piece
			}
		}
	}
	return append(lines, line)
}

// Shrink narrows the widest of widths step by step until they add up to total. No column becomes narrower than
// its longest word if that suffices, and none narrower than four cells.
func Shrink(widths, words []int, total int) {
	const letters = 4
	sum := 0
	for _, n := range widths {
		sum += n
	}
	wholeWords := func(i int) int { return max(words[i], letters) }
	for _, least := range []func(i int) int{wholeWords, func(int) int { return letters }} {
		for ; sum > total; sum-- {
			widest := -1
			for i, n := range widths {
				if n > least(i) && (widest < 0 || n > widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			widths[widest]--
		}
	}
}
