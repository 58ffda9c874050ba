package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// newTable is a table of columns apart by spaces.
func newTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options = table.OptionsNoBordersAndSeparators
	t.Style().Format.Header = text.FormatDefault
	t.Style().Box.PaddingLeft = ""
	t.Style().Box.PaddingRight = "  "
	return t
}

// writeTable writes t and an empty line, without the spaces at the ends of its lines.
func writeTable(b *strings.Builder, t table.Writer) {
	for line := range strings.Lines(t.Render()) {
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// printTable writes t to standard output, as writeTable does.
func (e *env) printTable(t table.Writer) error {
	var b strings.Builder
	writeTable(&b, t)
	_, err := fmt.Fprint(e.stdout, b.String())
	return err
}

// ruledTable is a table with lines between header, rows and columns.
func ruledTable(header table.Row) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.AppendHeader(header)
	return t
}
