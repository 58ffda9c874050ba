// Package decision prints decisions of the gate.
package decision

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
)

// Print prints a decision. With explain it also prints the terms that make up each score.
func Print(a *app.App, d gate.Decision, explain bool) {
	why := ""
	if d.Reason != "" {
		why = " (" + string(d.Reason) + ")"
	}
	a.Say("%s%s, need %.2f, %s, %.1f ms\n", d.Verdict, why, d.Need, d.Lang, d.Ms.Total)
	for _, n := range d.Notes {
		a.Note("%s", n)
	}
	if len(d.Candidates) == 0 {
		return
	}
	right := table.ColumnConfig{Number: 4, Align: text.AlignRight}
	steps := slices.ContainsFunc(d.Candidates, func(c gate.Candidate) bool { return c.Step > 0 })
	header := []any{"#", "", a.T("name"), a.T("score")}
	if steps {
		header = append(header, a.T("step"))
	}
	t := app.NewTable(append(header, a.T("matched"))...)
	for _, c := range d.Candidates {
		mark := ""
		if c.Injected {
			mark = "→"
		}
		name := c.Name
		if c.Pool == "agent" {
			name += " (agent)"
		}
		row := table.Row{c.Rank, mark, name, fmt.Sprintf("%.2f", c.Score)}
		if steps {
			row = append(row, strings.TrimLeft(fmt.Sprint(c.Step), "0"))
		}
		t.AppendRow(append(row, matchedWords(c.Matched)))
	}
	_ = a.PrintTable(t, right) // App.Run reports errors of standard output
	if explain {
		printScores(a, d, right)
	}
	if d.Context != "" {
		a.Say("Text for the model (%d characters):\n%s\n", d.Chars, d.Context)
	}
}

func printScores(a *app.App, d gate.Decision, right table.ColumnConfig) {
	for _, c := range d.Candidates {
		fmt.Fprintf(a.Stdout, "%d. %s  %s\n", c.Rank, c.Name, c.Path)
		t := app.NewTable(a.T("term"), a.T("matched"), a.T("field"), a.T("score"))
		sum := 0.0
		for _, m := range c.Matched {
			via := m.Via
			if m.Field == "expansion" {
				via = a.T("(an expansion)") // expansions are written by a model and never shown
			}
			t.AppendRow(table.Row{m.Term, via, m.Field, fmt.Sprintf("%+.3f", m.Score)})
			sum += m.Score
		}
		t.AppendFooter(table.Row{"", "", a.T("sum"), fmt.Sprintf("%.3f", sum)})
		_ = a.PrintTable(t, right)
		if len(c.HeldBack) > 0 {
			a.Say("skills left out in favour of this one: %s\n\n", strings.Join(c.HeldBack, ", "))
		}
	}
}

func matchedWords(matched []gate.Match) string {
	var out string
	seen := map[string]bool{}
	for _, m := range matched {
		word := m.Term
		if m.Via != "" && m.Field != "expansion" {
			word += "→" + m.Via
		}
		if m.Score <= 0 || m.Term == "" || seen[word] {
			continue
		}
		seen[word] = true
		if utf8.RuneCountInString(out)+utf8.RuneCountInString(word) > 60 {
			return out + " …"
		}
		if out != "" {
			out += ", "
		}
		out += word
	}
	return out
}
