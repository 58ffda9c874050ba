package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/secret"
)

func newSecretsCommand(a *app.App) *cobra.Command {
	list := false
	cmd := &cobra.Command{
		Use:   "secrets FILE...",
		Short: "Count secrets that redaction misses and ordinary texts that it changes",
		Long: `secrets reads JSON Lines, compressed or not. A line with "secret" is a case: after
redaction "text" must contain neither the secret nor, if it is long, its last eight
bytes. Every other line is ordinary: redaction must not change the strings in
"text", "query" and "turns". There is one row for each "kind" of case and one for
ordinary texts.`,
		Example: `  skillgate-dev secrets cases.jsonl
  skillgate-dev secrets --list bench/people/*.jsonl bench/people/*.gz`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			var m secretMeasure
			for _, file := range files {
				if err := m.read(file); err != nil {
					return err
				}
			}
			m.print(a.Stdout, list)
			return nil
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "also print missed cases and changed ordinary texts")
	return cmd
}

type secretMeasure struct {
	kinds    map[string]*secretCount
	ordinary secretCount // ordinary texts; found counts the changed ones
	changes  map[secret.Kind]int
	seen     map[string]bool
	missed   []string
	changed  []string
}

type secretCount struct{ all, found int }

type secretLine struct {
	Kind, Text, Secret, Query string
	Turns                     []string
}

func (m *secretMeasure) read(file string) error {
	if m.seen == nil {
		m.kinds, m.changes, m.seen = map[string]*secretCount{}, map[secret.Kind]int{}, map[string]bool{}
	}
	return bench.EachLine(file, func(_ int, text []byte) error {
		var l secretLine
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		if l.Secret != "" {
			m.isCase(l)
			return nil
		}
		for _, text := range append(l.Turns, l.Text, l.Query) {
			m.isOrdinary(text)
		}
		return nil
	})
}

func (m *secretMeasure) isCase(l secretLine) {
	c := m.kinds[l.Kind]
	if c == nil {
		c = &secretCount{}
		m.kinds[l.Kind] = c
	}
	c.all++
	got := secret.Redact(l.Text)
	if strings.Contains(got, l.Secret) || len(l.Secret) >= 16 && strings.Contains(got, l.Secret[len(l.Secret)-8:]) {
		m.missed = append(m.missed, fmt.Sprintf("%s: %q", l.Kind, l.Text))
		return
	}
	c.found++
}

func (m *secretMeasure) isOrdinary(text string) {
	if text == "" || m.seen[text] {
		return
	}
	m.seen[text] = true
	m.ordinary.all++
	spans := secret.Find(text)
	if len(spans) == 0 {
		return
	}
	m.ordinary.found++
	for _, f := range spans {
		m.changes[f.Kind]++
		before, behind := text[max(0, f.From-40):f.From], text[f.To:min(len(text), f.To+20)]
		m.changed = append(m.changed, fmt.Sprintf("%s: %q [%s] %q", f.Kind, before, text[f.From:f.To], behind))
	}
}

func (m *secretMeasure) print(w io.Writer, list bool) {
	t := app.NewTable("kind", "cases", "found", "share")
	row := func(name string, c secretCount) {
		t.AppendRow(table.Row{name, c.all, c.found, fmt.Sprintf("%.4f", float64(c.found)/float64(max(1, c.all)))})
	}
	sum := secretCount{}
	for _, kind := range slices.Sorted(maps.Keys(m.kinds)) {
		c := m.kinds[kind]
		sum.all, sum.found = sum.all+c.all, sum.found+c.found
		if c.found < c.all || len(m.kinds) <= 40 {
			row(kind, *c)
		}
	}
	if sum.all > 0 {
		row(fmt.Sprintf("all %d kinds", len(m.kinds)), sum)
	}
	if m.ordinary.all > 0 {
		row("ordinary texts changed", m.ordinary)
	}
	_ = app.WriteTable(w, t)
	for _, kind := range slices.Sorted(maps.Keys(m.changes)) {
		fmt.Fprintf(w, "%s found in ordinary texts: %d\n", kind, m.changes[kind])
	}
	if list {
		for _, line := range slices.Concat(m.missed, m.changed) {
			fmt.Fprintln(w, line)
		}
	}
}
