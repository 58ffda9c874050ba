// Package library implements the commands that publish and fetch libraries of skills.
package library

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/artifact"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/fetch"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/gate/workspace"
)

// New returns the library command.
func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "library",
		Short: "Publish and fetch libraries of skills",
		Long: `library publishes a folder of skills as one artifact in an OCI registry, together
with its index, and fetches the libraries in the settings:

  libraries:
    - oci://registry.example.com/team/skills:stable
    - skillgate+https://skills.example.com    (a registry that runs skillgate-org serve)
  trust:
    keys: ["ed25519:..."]                     (accept only libraries signed by these keys)

skillgate fetches them in the background, at most once an hour. While the network is
down, it uses the copies it has. Log in to an OCI registry with "docker login", and to
a registry that runs skillgate-org serve with "skillgate-org library login".`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPush(a), newPull(a), newList(a), newRefresh(a), newLogin(a))
	return cmd
}

func fetcher(a *app.App) (*fetch.Fetcher, error) {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, err
	}
	return &fetch.Fetcher{
		Workspace: a.Workspace(d, s), Limits: artifact.DefaultLimits,
		Client: &http.Client{Timeout: 5 * time.Minute, Transport: fetch.Transport},
	}, nil
}

func newPull(a *app.App) *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use:     "pull REFERENCE",
		Short:   "Download a library's skills to a new folder",
		Example: "  skillgate-org library pull registry.example.com/team/skills:stable --to ./skills",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := fetcher(a)
			if err != nil {
				return err
			}
			reference := args[0]
			if !fetched.Is(reference) {
				reference = "oci://" + reference
			}
			if err := fetched.Check(reference); err != nil {
				return err
			}
			folder := a.Absolute(to)
			if _, err := os.Lstat(folder); err == nil {
				return app.Fail("choose a new folder, or remove this one", "%s already exists", a.Display(folder))
			}
			tmp, err := disk.NewTemp(filepath.Dir(folder), ".skillgate-pull-")
			if err != nil {
				return err
			}
			defer tmp.Remove()
			digest, err := b.Unpack(cmd.Context(), reference, tmp.Path)
			if err != nil {
				return fetchError(err)
			}
			if err := tmp.Give(filepath.Base(fetched.Skills(tmp.Path)), folder); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s: %s in %s\n", reference, digest, a.Display(folder))
			return nil
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "write the skills to this new `FOLDER`")
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

func newLogin(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "login HOST",
		Short: "Store your key for a registry that runs skillgate-org serve",
		Long: `login reads a key from standard input and stores it where docker login stores passwords:
in Docker's credential helper, or else in ~/.docker/config.json. "skillgate-org pool key"
creates keys.`,
		Example: "  skillgate-org library login skills.example.com < ann.key",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := io.ReadAll(io.LimitReader(a.Stdin, 16<<10))
			if err != nil {
				return err
			}
			key := strings.TrimSpace(string(text))
			if key == "" || strings.ContainsAny(key, " \n") || strings.ContainsAny(args[0], "/@") {
				return app.Usage("pass a host name, such as skills.example.com, and the key as one line on standard input")
			}
			return fetch.KeepKey(cmd.Context(), args[0], key)
		},
	}
}

func newRefresh(a *app.App) *cobra.Command {
	background := false
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "Update the libraries named in the settings",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := fetcher(a)
			if err != nil {
				return err
			}
			if background {
				b.Workspace.Progress, b.Workspace.Note = nil, nil
				b.Patience = fetched.Every / 4 // a stalled source must not delay the others
			}
			return refreshAll(cmd.Context(), a, b, background)
		},
	}
	cmd.Flags().BoolVar(&background, "background", false,
		"print nothing and skip libraries checked within the last hour (used by skillgate itself)")
	return cmd
}

func refreshAll(ctx context.Context, a *app.App, b *fetch.Fetcher, background bool) error {
	references := fetched.Of(b.Workspace.Settings.Libraries)
	if len(references) == 0 && !background {
		a.Note("there is nothing to update: the setting `libraries` lists no remote library")
	}
	failed := false
	for _, reference := range references {
		if background {
			s, err := fetched.ReadStatus(b.Workspace.Dirs.Cache, reference)
			if err == nil && !fetched.Due(s.Checked, a.Now()) {
				continue
			}
			_, err = b.Refresh(ctx, reference) // the status contains the error
			failed = failed || err != nil
			continue
		}
		if err := refresh(ctx, a, b, reference); err != nil {
			a.Note("%v", err)
			failed = true
		}
	}
	if err := b.Forget(references); err != nil {
		return fetchError(err)
	}
	if failed && !background {
		return app.ErrFindings
	}
	return nil
}

func refresh(ctx context.Context, a *app.App, b *fetch.Fetcher, reference string) error {
	before, _ := fetched.ReadStatus(b.Workspace.Dirs.Cache, reference)
	s, err := b.Refresh(ctx, reference)
	if err != nil {
		return fetchError(fmt.Errorf("%s: %w", reference, err))
	}
	switch {
	case before.Digest == "" || s.Digest == "" || len(s.Changes) == 0:
		fmt.Fprintf(a.Stdout, "%s: %s", reference, wording.Count(s.Skills, "skill"))
	case before.Digest == s.Digest || s.Changes[0].To != s.Digest || s.Changes[0].From != before.Digest:
		fmt.Fprintf(a.Stdout, "%s: %s, unchanged", reference, wording.Count(s.Skills, "skill"))
	default:
		c := s.Changes[0]
		fmt.Fprintf(a.Stdout, "%s: %s, %d added, %d changed, %d removed", reference, wording.Count(s.Skills, "skill"),
			c.Added, c.Changed, c.Removed)
	}
	fmt.Fprintf(a.Stdout, "%s\n", details(s))
	return nil
}

func details(s fetched.Status) string {
	var b strings.Builder
	if s.Signed != "" {
		b.WriteString(", signed by " + s.Signed)
	} else {
		b.WriteString(", not signed")
	}
	if s.Note != "" {
		b.WriteString(", " + s.Note)
	}
	return b.String()
}

func fetchError(err error) error {
	switch {
	case errors.Is(err, artifact.ErrUnsigned):
		return app.Hint(err, "ask for a signed library, or add the publisher's key to trust.keys in skillgate.yaml")
	case errors.Is(err, fetch.ErrNoKey):
		return app.Hint(err, "store a key with: skillgate-org library login HOST < KEY_FILE")
	case errors.Is(err, fetch.ErrRefused):
		return app.Hint(err, "ask the registry's administrator for a new key and store it with: "+
			"skillgate-org library login HOST < KEY_FILE")
	case errors.Is(err, fetch.ErrBusy):
		return app.Hint(err, "run the command again later")
	case errors.Is(err, artifact.ErrForeign):
		return app.Hint(err,
			"pull the artifact to a folder with an OCI client such as oras, and add the folder to the setting `libraries`")
	}
	if problem := (*workspace.Error)(nil); errors.As(err, &problem) {
		return app.OpenError(err)
	}
	return app.Hint(err, "a library that was fetched earlier stays in use")
}

func newList(a *app.App) *cobra.Command {
	json := false
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "Show the libraries in the settings and when they were fetched",
		Example: "  skillgate-org library list",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return list(a, json) },
	}
	cmd.Flags().BoolVar(&json, "json", false, "print the result as JSON")
	return cmd
}

func list(a *app.App, json bool) error {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	all := []fetched.Status{}
	for _, reference := range fetched.Of(s.Libraries) {
		status, err := fetched.ReadStatus(d.Cache, reference)
		if err != nil {
			status.Error = err.Error()
		}
		all = append(all, status)
	}
	if json {
		return a.PrintJSON(all)
	}
	for _, s := range all {
		if s.Digest == "" {
			fmt.Fprintf(a.Stdout, "%s: not fetched yet\n", s.Reference)
		} else {
			fmt.Fprintf(a.Stdout, "%s: %s, fetched %s, %s%s\n", s.Reference, wording.Count(s.Skills, "skill"),
				s.Fetched.Format(time.DateTime), s.Digest, details(s))
		}
		if s.Error != "" {
			fmt.Fprintf(a.Stdout, "  %s: %s\n", s.Checked.Format(time.DateTime), app.Visible(s.Error))
		}
		for _, c := range s.Changes {
			fmt.Fprintf(a.Stdout, "  %s: changed under the same tag: %d added, %d changed, %d removed\n",
				c.Time.Format(time.DateTime), c.Added, c.Changed, c.Removed)
		}
	}
	return nil
}
