package synonyms

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/triage"
)

func newExplain(a *app.App) *cobra.Command {
	var asJSON bool
	var libraries []string
	cmd := &cobra.Command{
		Use:   "explain PROMPT...",
		Short: "Show how each word of a prompt is read",
		Long: `explain prints, for each word of a prompt, what it was read as: the headword
without its particles and endings, its English senses, and the terms that are
searched with the number of skills that hold each. It also shows English
phrases and Korean that was typed with the keyboard in English. Words without
content give nothing.`,
		Example: `  skillgate synonyms explain 배포한 다음에 슬랙으로 알려줘
  skillgate synonyms explain --library ./skills "spin up a box and run dprtpf"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := a.OpenHere(cmd.Context(), libraries)
			if err != nil {
				return err
			}
			defer g.Close()
			out, err := explain(cmd.Context(), g, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(out)
			}
			return printReadPrompt(a, out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().StringArrayVar(&libraries, "library", nil,
		"count in this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	return cmd
}

func printReadPrompt(a *app.App, p readPrompt) error {
	if p.Kind != string(triage.Search) {
		fmt.Fprintf(a.Stdout, "the hook does not search this prompt: %s\n", p.Kind)
	}
	t := app.NewTable("word", "read as", "", "senses", "weight", fmt.Sprintf("searched terms (skills of %d)", p.Skills))
	last := ""
	for _, w := range p.Words {
		text := w.Text
		if text == last {
			text = ""
		}
		last = w.Text
		var found []string
		for _, term := range w.Terms {
			found = append(found, fmt.Sprintf("%s (%d)", term.Term, term.Skills))
		}
		weight := ""
		if len(w.Terms) > 0 {
			weight = fmt.Sprintf("%.2f", w.Weight)
		}
		t.AppendRow(table.Row{text, w.As, w.Word, strings.Join(w.Senses, ", "), weight, strings.Join(found, ", ")})
	}
	return a.PrintTable(t)
}
