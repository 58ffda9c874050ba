package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/stretchr/testify/assert"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/app/apptest"
	"github.com/skillgate/skillgate/gate/wording"
)

func TestTablesFitTheTerminal(t *testing.T) {
	words := strings.Fields("정리 회의록으로 transcript→minutes review security-of-a-pull-request, decisions and action items " +
		"with owners and dates, as the secretary of the board would write them down by hand 그리고 담당자에게 보낸다")
	for _, columns := range []int{60, 80, 120} {
		h := apptest.New(t)
		for name, draw := range map[string]func(t table.Writer) error{
			"ruled": func(t table.Writer) error { return h.PrintTable(t) },
			"plain": func(t table.Writer) error {
				return h.PrintTable(t, table.ColumnConfig{Number: 1, Hidden: false})
			},
		} {
			w := app.NewTable()
			if name == "ruled" {
				w = app.NewTable("#", "name", "matched")
			}
			w.AppendRow(table.Row{1, "meeting-minutes", strings.Join(words, " ")})
			lines := apptest.OnTerminal(t, h.App, columns, func() error { return draw(w) })
			var shown []string
			for _, line := range lines {
				if wording.Width(line) > columns {
					t.Errorf("%s, %d columns: %q takes %d", name, columns, line, wording.Width(line))
				}
				shown = append(shown, strings.Fields(line)...)
			}
			for _, word := range append(words, "meeting-minutes") {
				if !slices.Contains(shown, word) {
					t.Errorf("%s, %d columns: %q is broken in\n%s", name, columns, word, strings.Join(lines, "\n"))
				}
			}
		}
	}
}

func TestTablesOfNarrowTerminals(t *testing.T) {
	for _, columns := range []int{40, 60, 80} {
		h := apptest.New(t)
		w := app.NewTable("source", "skills", "characters in names", "descriptions", "", "characters")
		w.AppendRow(table.Row{"personal", 59, 1170, "분기별-매출-실적-보고서를 \"작성\"한다 with owners", "", 4941})
		w.AppendFooter(table.Row{"all", 59, 1170, 59, 0, 4941})
		text := strings.Join(apptest.OnTerminal(t, h.App, columns, func() error { return h.PrintTable(w) }), "\n")
		for line := range strings.Lines(text) {
			assert.LessOrEqual(t, wording.Width(strings.TrimRight(line, "\n")), columns, line)
		}
		for _, word := range []string{"personal", "characters", "4941", "\"작성\"한다", "owners"} {
			assert.Contains(t, strings.Fields(text), word, "%d columns: no %q in\n%s", columns, word, text)
		}
		stacked := strings.Contains(text, "personal\n")
		assert.Equal(t, columns == 40, stacked, "%d columns: cells below each other: %v\n%s", columns, stacked, text)
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		s    string
		n    int
		want []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"see pr-security-review now", 12, []string{"see", "pr-security-", "review now"}},
		{"분기별-매출-실적-보고서 작성", 12, []string{"분기별-매출-", "실적-보고서", "작성"}},
		{"느리다→slow", 8, []string{"느리다→", "slow"}},
		{"회의녹취록정리", 7, []string{"회의녹", "취록정", "리"}},
		{"가나", 1, []string{"가", "나"}},
		{"", 5, []string{""}},
	}
	for _, tt := range tests {
		got := app.Wrap(tt.s, tt.n)
		assert.Equal(t, tt.want, got, "Wrap(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
	}
}
