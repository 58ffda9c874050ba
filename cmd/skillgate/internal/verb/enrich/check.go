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
	var apply, asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Search every written request and say what the expansions do",
		Long: `check searches each request with itself held out: does its skill win it, with
the other phrases and without any expansion, and which phrases pull in the
requests of other skills? --apply drops those. --library and --enrichment check
a library that is not installed.`,
		Example: `  skillgate enrich check
  skillgate enrich check --apply
  skillgate enrich check --library ./skills --enrichment expansions.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (len(libraries) > 0) != (file != "") || apply && file != "" {
				return app.Usage("--library and --enrichment go together, and without --apply")
			}
			var report roundtrip.Report
			var err error
			if file != "" {
				report, err = checkLibrary(cmd.Context(), a, libraries, file)
			} else {
				report, err = checkStore(cmd.Context(), a, apply)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(report)
			}
			verb := "`enrich check --apply` would drop"
			if apply {
				verb = "dropped"
			}
			printCheck(a, report, verb)
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&libraries, "library", nil,
		"check this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	cmd.Flags().StringVar(&file, "enrichment", "", "with the expansions of `FILE`")
	cmd.Flags().BoolVar(&apply, "apply", false, "drop the phrases that belong to other skills")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
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
