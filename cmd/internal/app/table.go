package app

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// NewTable is a table of columns apart by spaces.
func NewTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.Style().Format.Header = text.FormatDefault
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

// RuledTable is a table with lines between header, rows and columns.
func RuledTable(header table.Row) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.AppendHeader(header)
	return t
}
