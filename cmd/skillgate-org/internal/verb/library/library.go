// Package library is the command that publishes and fetches libraries of skills.
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
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/bring"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/fetched"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/gate/workspace"
)

// New returns the command.
func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "library",
		Short: "Publish and fetch libraries of skills",
		Long: `library publishes a folder of skills as one artifact of an OCI registry, with an
index that is ready for use, and fetches what the settings name:

  libraries:
    - oci://registry.example.com/team/skills:stable
    - skillgate+https://skills.example.com    (what skillgate-org serve offers there)
  trust:
    keys: ["ed25519:..."]                     (nothing else is taken, where there are any)

skillgate fetches them in the background, at most once an hour, and works without
a network from what it has. For a registry's name and password: docker login;
for a key of skillgate-org serve: login.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPush(a), newPull(a), newList(a), newRefresh(a), newLogin(a))
	return cmd
}

func bringer(a *app.App) (*bring.Bringer, error) {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, err
	}
	return &bring.Bringer{
		Workspace: a.Workspace(d, s), Limits: artifact.DefaultLimits,
		Client: &http.Client{Timeout: 5 * time.Minute, Transport: bring.Transport},
	}, nil
}

// reference is an argument as the settings write it: REGISTRY/REPO:TAG is one of a registry.
func reference(arg string) (string, error) {
	if fetched.Is(arg) {
		return arg, fetched.Check(arg)
	}
	return "oci://" + arg, nil
}

func newPull(a *app.App) *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use:   "pull REFERENCE",
		Short: "Fetch a library",
		Long: `pull fetches what a reference leads to now into the cache, where skillgate finds it
if the settings name it. With --to it writes the skills to a new folder instead.`,
		Example: `  skillgate-org library pull registry.example.com/team/skills:stable
  skillgate-org library pull registry.example.com/team/skills:stable --to ./skills`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := bringer(a)
			if err != nil {
				return err
			}
			from, err := reference(args[0])
			if err != nil {
				return err
			}
			if to == "" {
				return refresh(cmd.Context(), a, b, from)
			}
			return pullTo(cmd.Context(), a, b, from, a.Absolute(to))
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "write the skills to this new folder")
	return cmd
}

func pullTo(ctx context.Context, a *app.App, b *bring.Bringer, reference, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return app.Fail("name a folder that does not exist, or remove it", "%s is there already", a.Display(to))
	}
	tmp, err := disk.NewTemp(filepath.Dir(to), ".skillgate-pull-")
	if err != nil {
		return err
	}
	defer tmp.Remove()
	digest, _, err := b.Unpack(ctx, reference, tmp.Path)
	if err != nil {
		return fetchError(err)
	}
	if err := tmp.Give(filepath.Base(fetched.Skills(tmp.Path)), to); err != nil {
		return err
	}
	fmt.Fprintf(a.Stdout, "%s: %s in %s\n", reference, digest, a.Display(to))
	return nil
}

func newLogin(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "login HOST",
		Short: "Keep the key for what skillgate-org serves at a host",
		Long: `login reads a key (skillgate-org pool key) from standard input and keeps it where docker login
keeps passwords: in the helper that Docker's settings name, else in ~/.docker/config.json.`,
		Example: "  skillgate-org library login skills.example.com < ann.key",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := io.ReadAll(io.LimitReader(a.Stdin, 16<<10))
			if err != nil {
				return err
			}
			key := strings.TrimSpace(string(text))
			if key == "" || strings.ContainsAny(key, " \n") || strings.ContainsAny(args[0], "/@") {
				return app.Usage("want a HOST, and a key in one line on standard input")
			}
			return bring.KeepKey(cmd.Context(), args[0], key)
		},
	}
}

func newRefresh(a *app.App) *cobra.Command {
	background := false
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "Fetch all libraries of the settings that have changed",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := bringer(a)
			if err != nil {
				return err
			}
			if background {
				b.Workspace.Progress, b.Workspace.Note = nil, nil
				b.Patience = fetched.Every / 4 // a source that stalls must not keep the others waiting
			}
			return refreshAll(cmd.Context(), a, b, background)
		},
	}
	cmd.Flags().BoolVar(&background, "background", false,
		"print nothing, and ask for none that was asked for within the hour (how skillgate starts it)")
	return cmd
}

func refreshAll(ctx context.Context, a *app.App, b *bring.Bringer, background bool) error {
	references := fetched.Of(b.Workspace.Settings.Libraries)
	if len(references) == 0 && !background {
		a.Note("the setting libraries names none that is not on this machine")
	}
	failed := false
	for _, reference := range references {
		if background {
			s, err := fetched.ReadStatus(b.Workspace.Dirs.Cache, reference)
			if err == nil && !fetched.Due(s.Checked, a.Now()) {
				continue
			}
			_, err = b.Refresh(ctx, reference) // the status says what went wrong
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

func refresh(ctx context.Context, a *app.App, b *bring.Bringer, reference string) error {
	before, _ := fetched.ReadStatus(b.Workspace.Dirs.Cache, reference)
	s, err := b.Refresh(ctx, reference)
	if err != nil {
		return fetchError(fmt.Errorf("%s: %w", reference, err))
	}
	switch {
	case before.Digest == "" || s.Digest == "" || len(s.Changes) == 0:
		fmt.Fprintf(a.Stdout, "%s: %s", reference, wording.Count(s.Skills, "skill"))
	case before.Digest == s.Digest:
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
		return app.Hint(err, "ask who publishes it, or add the key to trust.keys of skillgate.yaml")
	case errors.Is(err, bring.ErrNoKey):
		return app.Hint(err, "skillgate-org library login HOST < KEY keeps one")
	case errors.Is(err, bring.ErrRefused):
		return app.Hint(err, "ask who runs the registry for a new key; skillgate-org library login HOST < KEY keeps it")
	case errors.Is(err, bring.ErrBusy):
		return app.Hint(err, "run it again when that is done")
	}
	if problem := (*workspace.Error)(nil); errors.As(err, &problem) {
		return app.OpenError(err)
	}
	return app.Hint(err, "what was fetched before stays in use")
}
