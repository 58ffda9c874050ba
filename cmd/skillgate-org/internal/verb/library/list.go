package library

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/wording"
)

func newList(a *app.App) *cobra.Command {
	json := false
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "Show libraries of the settings",
		Example: "  skillgate-org library list",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return listOwn(a, json) },
	}
	cmd.Flags().BoolVar(&json, "json", false, "print JSON")
	return cmd
}

func listOwn(a *app.App, json bool) error {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	list := []fetched.Status{}
	for _, reference := range fetched.Of(s.Libraries) {
		status, err := fetched.ReadStatus(d.Cache, reference)
		if err != nil {
			status.Error = err.Error()
		}
		list = append(list, status)
	}
	if json {
		return a.PrintJSON(list)
	}
	for _, s := range list {
		if s.Digest == "" {
			fmt.Fprintf(a.Stdout, "%s: not fetched yet\n", s.Reference)
		} else {
			fmt.Fprintf(a.Stdout, "%s: %s of %s, %s%s\n", s.Reference, wording.Count(s.Skills, "skill"),
				s.Fetched.Format(time.DateTime),
				s.Digest, details(s))
		}
		if s.Error != "" {
			fmt.Fprintf(a.Stdout, "  %s: %s\n", s.Checked.Format(time.DateTime), app.Visible(s.Error))
		}
		for _, c := range s.Changes {
			fmt.Fprintf(a.Stdout, "  %s: changed under its name, %d added, %d changed, %d removed\n",
				c.Time.Format(time.DateTime), c.Added, c.Changed, c.Removed)
		}
	}
	return nil
}
