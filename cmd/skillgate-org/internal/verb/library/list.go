package library

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/bring"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/wording"
)

// maxTags is how many tags of a repository are listed: a registry may go on without an end.
const maxTags = 10_000

func newList(a *app.App) *cobra.Command {
	json := false
	cmd := &cobra.Command{
		Use:   "list [REGISTRY/REPO[:TAG]]",
		Short: "Show libraries of the settings, tags of a repository or skills of a library",
		Example: `  skillgate-org library list
  skillgate-org library list registry.example.com/team/skills
  skillgate-org library list registry.example.com/team/skills:stable`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listOwn(a, json)
			}
			repo, err := bring.Repository(strings.TrimPrefix(args[0], "oci://"))
			if err != nil {
				return err
			}
			if repo.Reference.Reference == "" {
				left := maxTags
				return repo.Tags(cmd.Context(), "", func(tags []string) error {
					for _, tag := range tags {
						if left--; left < 0 {
							return app.Fail("`skillgate-org library list` with a tag lists its skills",
								"the registry has more than %d tags, of which these are the first", maxTags)
						}
						fmt.Fprintln(a.Stdout, app.Visible(tag))
					}
					return nil
				})
			}
			m, root, err := bring.Manifest(cmd.Context(), repo)
			if err != nil {
				return err
			}
			config, err := artifact.ReadConfig(cmd.Context(), repo, m)
			if err != nil {
				return err
			}
			if config == nil {
				return app.Fail("`skillgate-org library pull` reads it all the same",
					"%s was not pushed by skillgate-org and has no list", args[0])
			}
			if json {
				return a.PrintJSON(config)
			}
			for _, s := range config.Skills {
				fmt.Fprintf(a.Stdout, "%s  %s\n", s.Hash[:min(12, len(s.Hash))], app.Visible(s.Folder))
			}
			fmt.Fprintf(a.Stdout, "%s, %s\n", wording.Count(len(config.Skills), "skill"), root.Digest)
			return nil
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "print JSON")
	return cmd
}

// listOwn shows what the settings name and how it stands.
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

func newVerify(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "verify REFERENCE",
		Short: "Check that a library is what it says it is",
		Long: `verify fetches a library and compares every blob with its digest, the skills with
their list, and the signature with trust.keys of the settings.`,
		Example: "  skillgate-org library verify registry.example.com/team/skills:stable",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := reference(args[0])
			if err != nil {
				return err
			}
			return verify(cmd.Context(), a, from)
		},
	}
}

func verify(ctx context.Context, a *app.App, reference string) error {
	b, err := bringer(a)
	if err != nil {
		return err
	}
	tmp, err := disk.NewTemp("", "skillgate-verify-")
	if err != nil {
		return err
	}
	defer tmp.Remove()
	b.Workspace.Dirs.Cache = filepath.Join(tmp.Path, "cache") // blobs that were kept are not believed either
	digest, signer, err := b.Unpack(ctx, reference, filepath.Join(tmp.Path, "tree"))
	if err != nil {
		return fetchError(fmt.Errorf("%s: %w", reference, err))
	}
	fmt.Fprintf(a.Stdout, "%s: %s%s\n", reference, digest, details(fetched.Status{Signed: signer}))
	return nil
}
