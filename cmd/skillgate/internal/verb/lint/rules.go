package lint

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/report"
)

func newRules(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "rules [ID]",
		Short:   "List the rules, or explain one of them",
		Example: "  skillgate lint rules\n  skillgate lint rules SG301",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				r, err := lint.ByID(args[0])
				if err != nil {
					return app.Hint(err, "`skillgate lint rules` lists the rules")
				}
				_, err = fmt.Fprint(a.Stdout, r.Explain())
				return err
			}
			_, s, err := a.PlacesAndSettings()
			if err != nil {
				return err
			}
			o, err := lint.OptionsFor(s.Lint.Rules, nil)
			if err != nil {
				return err
			}
			return listRules(a, report.Rules(o.Severity), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all rules in full as JSON")
	return cmd
}

func listRules(a *app.App, rules []report.RuleJSON, asJSON bool) error {
	if asJSON {
		return a.PrintJSON(rules)
	}
	t := app.NewTable("id", "group", "severity", "fix", "mistake")
	for _, r := range rules {
		fix := ""
		if r.Fixes {
			fix = "yes"
		}
		t.AppendRow(table.Row{r.ID, r.Group, r.Severity, fix, r.Title})
	}
	return a.PrintTable(t)
}
