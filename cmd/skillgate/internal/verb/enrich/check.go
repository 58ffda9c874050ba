package enrich

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/enrichment"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/enrich/roundtrip"
	"github.com/skillgate/skillgate/gate/workspace"
)

func newCheck(a *app.App) *cobra.Command {
	var libraries []string
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Search every written request and say what the expansions do",
		Long: `check searches each request with itself held out: does its skill win it, with
the other phrases and without any expansion, and which phrases pull in the
requests of other skills? "check apply" drops those. --library and --enrichment
check a library that is not installed.`,
		Example: `  skillgate enrich check
  skillgate enrich check apply
  skillgate enrich check --library ./skills --enrichment expansions.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			check := checkStore
			if file != "" {
				check = func(ctx context.Context, a *app.App, _ bool) (roundtrip.Report, error) {
					return checkLibrary(ctx, a, libraries, file)
				}
			}
			report, err := check(cmd.Context(), a, false)
			return printChecked(a, report, err, asJSON, "`enrich check apply` would drop")
		},
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.Flags().StringArrayVar(&libraries, "library", nil,
		"check this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	cmd.Flags().StringVar(&file, "enrichment", "", "with the expansions of `FILE`")
	cmd.MarkFlagsRequiredTogether("library", "enrichment")
	cmd.AddCommand(&cobra.Command{
		Use:     "apply",
		Short:   "Drop the phrases that belong to other skills",
		Example: "  skillgate enrich check apply",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := checkStore(cmd.Context(), a, true)
			return printChecked(a, report, err, asJSON, "dropped")
		},
	})
	app.Elsewhere(cmd, map[string]string{"apply": "skillgate enrich check apply"})
	return cmd
}

func printChecked(a *app.App, report roundtrip.Report, err error, asJSON bool, verb string) error {
	switch {
	case err != nil:
		return err
	case asJSON:
		return a.PrintJSON(report)
	}
	printCheck(a, report, verb)
	return nil
}

func checkStore(ctx context.Context, a *app.App, apply bool) (roundtrip.Report, error) {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return roundtrip.Report{}, err
	}
	open := enrich.Load
	if apply {
		open = enrich.Open
	}
	known, err := open(d.State)
	if err != nil {
		return roundtrip.Report{}, enrichment.Hint(err)
	}
	defer known.Close()
	if err := a.RefreshSkills(ctx, d, s); err != nil {
		return roundtrip.Report{}, err
	}
	report, err := checkInstalled(ctx, a, d, s, known, nil)
	if err != nil || !apply {
		return report, err
	}
	if n, err := roundtrip.Drop(known, report.Thieves); err != nil || n == 0 {
		return report, err
	}
	err = a.RefreshSkills(ctx, d, s)
	return report, err
}

func checkLibrary(ctx context.Context, a *app.App, paths []string, file string) (roundtrip.Report, error) {
	list, err := enrich.ReadFile(file)
	if err != nil {
		return roundtrip.Report{}, enrichment.Error(err)
	}
	src := &workspace.Source{Cwd: a.Cwd, Libraries: paths}
	entries, err := src.Read(ctx)
	if err != nil {
		return roundtrip.Report{}, err
	}
	names := map[string]string{}
	for i := range entries {
		names[entries[i].ID] = entries[i].Name
	}
	checker := enrich.NewChecker(catalog.Names(entries))
	for i := range list {
		list[i].Name = names[list[i].ID]
		list[i], _ = checker.Expansion(list[i])
	}
	d, err := a.Places()
	if err != nil {
		return roundtrip.Report{}, err
	}
	o := a.Workspace(d, gate.Default())
	o.Expansions = list
	open, err := workspace.Indexes(ctx, src, o)
	if err != nil {
		return roundtrip.Report{}, err
	}
	defer workspace.Close(open)
	return roundTrip(ctx, a, open, list, nil)
}
