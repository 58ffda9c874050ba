package app

import (
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skillgate/skillgate/gate/cells"
)

// NewTable is a table of columns apart by spaces, with a header where one is given.
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

// WriteTable writes t and an empty line, without the spaces at the ends of its lines.
func WriteTable(b *strings.Builder, t table.Writer) {
	for line := range strings.Lines(t.Render()) {
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// PrintTable writes t to standard output, as WriteTable does.
func (a *App) PrintTable(t table.Writer) error {
	var b strings.Builder
	WriteTable(&b, t)
	_, err := io.WriteString(a.Stdout, b.String())
	return err
}

// Fit narrows the widest columns of t, which has its rows, so that its lines fit the terminal on
// standard output. Cells are broken between words, and a word that is still too wide is cut.
// configs are what else the columns need.
func (a *App) Fit(t table.Writer, configs ...table.ColumnConfig) {
	t.SetColumnConfigs(configs)
	width := 0
	for line := range strings.Lines(t.Render()) {
		width = max(width, cells.Width(strings.TrimRight(line, " \n")))
	}
	over := width - a.Columns()
	if a.Columns() == 0 || over <= 0 {
		return
	}
	var widths []int
	total := 0
	for line := range strings.Lines(t.RenderTSV()) {
		for i, cell := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			total += max(cells.Width(cell)-widths[i], 0)
			widths[i] = max(widths[i], cells.Width(cell))
		}
	}
	Shrink(widths, total-over)
	for i, n := range widths {
		c := table.ColumnConfig{Number: i + 1}
		if at := slices.IndexFunc(configs, func(c table.ColumnConfig) bool { return c.Number == i+1 }); at >= 0 {
			c = configs[at]
			configs = slices.Delete(slices.Clone(configs), at, at+1)
		}
		c.WidthMax, c.WidthMaxEnforcer = n, wrap
		configs = append(configs, c)
	}
	t.SetColumnConfigs(configs)
}

// wrap breaks s between words into lines of at most n cells, and cuts wider words.
func wrap(s string, n int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		word = cells.Clip(word, n)
		switch {
		case line == "":
			line = word
		case cells.Width(line)+1+cells.Width(word) <= n:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// Shrink makes the widest of widths narrower, by turns, until they add up to total, but none
// narrower than some letters.
func Shrink(widths []int, total int) {
	const least = 4
	sum := 0
	for _, n := range widths {
		sum += n
	}
	for ; sum > total; sum-- {
		widest := 0
		for i, n := range widths {
			if n > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= least {
			return
		}
		widths[widest]--
	}
}
