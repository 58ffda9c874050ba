package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
)

func TestLinesAreFoldedOnATerminal(t *testing.T) {
	tests := []struct {
		name string
		say  func(a *app.App)
		args string
		want []string // on a terminal of 40 columns
	}{
		{"a line that fits", func(a *app.App) { a.Say("%s\n", strings.Repeat("x", 40)) }, "",
			[]string{strings.Repeat("x", 40)}},
		{"a sentence", func(a *app.App) { a.Say("the hook does nothing until somebody registers it here\n") }, "",
			[]string{"the hook does nothing until somebody", "registers it here"}},
		{"columns", func(a *app.App) { a.Say("warn  host    no settings file registers the hook\n") }, "",
			[]string{"warn  host    no settings file registers", "              the hook"}},
		{"an item of a list", func(a *app.App) { a.Say("  - a skill that is named often and is never loaded\n") }, "",
			[]string{"  - a skill that is named often and is", "    never loaded"}},
		{"a numbered item", func(a *app.App) { a.Say("12. a skill that is named often and is never loaded\n") }, "",
			[]string{"12. a skill that is named often and is", "    never loaded"}},
		{"Hangul, two cells each", func(a *app.App) { a.Say("훅이 꺼져 있습니다. 설정 파일에서 그 줄을 지우세요\n") }, "",
			[]string{"훅이 꺼져 있습니다. 설정 파일에서 그", "줄을 지우세요"}},
		{"a command in backquotes", func(a *app.App) { a.Say("the hook is gone: `skillgate install --yes` mends it\n") }, "",
			[]string{"the hook is gone:", "`skillgate install --yes` mends it"}},
		{"backquotes around too much", func(a *app.App) { a.Say("run `skillgate lint --fail-on warning --rule SG104 skills` now\n") }, "",
			[]string{"run `skillgate lint --fail-on warning", "--rule SG104 skills` now"}},
		{"a word wider than the terminal", func(a *app.App) { a.Say("see %s there\n", strings.Repeat("/long", 10)) }, "",
			[]string{"see", strings.Repeat("/long", 10)[:40], strings.Repeat("/long", 2), "there"}},
		{"a line in parts", func(a *app.App) { a.Say("12345 characters less each time"); a.Say("; 3 others are back"); a.Say(".\n") }, "",
			[]string{"12345 characters less each time; 3", "others are back."}},
		{"data", func(a *app.App) { fmt.Fprintln(a.Data(), "+ "+strings.TrimSpace(strings.Repeat("word ", 9))) }, "",
			[]string{"+ word word word word word word word wor", "d word"}},
		{"for a program", func(a *app.App) { _ = a.PrintJSON(strings.TrimSpace(strings.Repeat("word ", 9))) }, "--json=true",
			[]string{`"word word word word word word word word`, ` word"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := apptest.New(t)
			h.Args = strings.Fields(tt.args)
			cmd := &cobra.Command{Use: "tool", RunE: func(*cobra.Command, []string) error { tt.say(h.App); return nil }}
			cmd.Flags().Bool("json", false, "")
			lines := apptest.OnTerminal(t, h.App, 40, func() error {
				if code := h.App.Run(cmd); code != 0 {
					return fmt.Errorf("status %d: %s", code, h.Err.String())
				}
				return nil
			})
			var shown []string // a terminal breaks longer lines
			for _, line := range lines {
				for len(line) > 40 && strings.IndexFunc(line, func(r rune) bool { return r > 127 }) < 0 {
					shown, line = append(shown, line[:40]), line[40:]
				}
				shown = append(shown, line)
			}
			assert.Equal(t, tt.want, shown, "shown:\n%s\nwant:\n%s", strings.Join(shown, "\n"), strings.Join(tt.want, "\n"))
		})
	}
}
