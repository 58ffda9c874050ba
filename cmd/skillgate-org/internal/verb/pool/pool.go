// Package pool implements the commands that fill and review the pools of a registry.
package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/truth"
	"github.com/skillgate/skillgate/gate/wording"
)

type options struct {
	app      *app.App
	database string
}

// New returns the pool command.
func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "pool",
		Short: "Manage the tenants, pools and keys of a registry",
		Long: `pool changes the database that "skillgate-org serve" reads.

A tenant, such as a company, has pools of skills. A pool without roles is visible to everybody
in the tenant; a pool with roles is visible only to people who have one of them. "import --role
user:NAME" creates a pool for one person. If several pools contain a skill of the same name, a
personal pool takes precedence over a team's pool, and both over a pool for everybody.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&o.database, "database", "", "use the database at `URL` (default: SKILLGATE_DATABASE)")
	cmd.AddCommand(o.newImport(), o.newTenant(), o.newList(),
		o.newReview("approve", "Approve the newest revision of the given skills"),
		o.newReview("withdraw", "Stop offering the given skills"), o.newKey(), o.newRevoke(), o.newAudit())
	return cmd
}

// with returns a RunE that calls run with the database open.
func (o *options) with(
	run func(ctx context.Context, s *truth.Store, args []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := Open(cmd.Context(), o.app, o.database)
		if err != nil {
			return err
		}
		defer s.Close()
		return run(cmd.Context(), s, args)
	}
}

// Open opens the database at address, or at SKILLGATE_DATABASE if address is empty. Its errors have hints.
func Open(ctx context.Context, a *app.App, address string) (*truth.Store, error) {
	address = cmp.Or(address, a.Getenv("SKILLGATE_DATABASE"))
	if address == "" {
		return nil, app.Fail("set --database or SKILLGATE_DATABASE, for example postgres://localhost/skills",
			"no database given")
	}
	s, err := truth.Open(ctx, address)
	switch {
	case errors.Is(err, truth.ErrVersion):
		return nil, app.Hint(err,
			"install that version of skillgate-org, or use another database; nothing was changed")
	case err != nil:
		return nil, app.Hint(err, "check the address and whether the database role may create a schema")
	}
	return s, nil
}

func (o *options) actor() string {
	for _, name := range []string{"USER", "LOGNAME"} {
		if user := o.app.Getenv(name); user != "" {
			return "cli:" + user
		}
	}
	return "cli"
}

func split(arg string) (tenant, pool string, err error) {
	tenant, pool, ok := strings.Cut(arg, "/")
	if !ok {
		return "", "", app.Usage("%q does not have the form TENANT/POOL", arg)
	}
	return tenant, pool, nil
}

func (o *options) newTenant() *cobra.Command {
	var l truth.Limits
	cmd := &cobra.Command{
		Use:   "tenant TENANT",
		Short: "Create a tenant, or set the limits on its skills",
		Args:  cobra.ExactArgs(1),
		RunE: o.with(func(ctx context.Context, s *truth.Store, args []string) error {
			return s.SetTenant(ctx, o.actor(), args[0], l)
		}),
	}
	cmd.Flags().Float64Var(&l.MaxRisk, "max-risk", 1, "offer only skills whose lint risk is at most `RISK`, 0 to 1")
	cmd.Flags().BoolVar(&l.Review, "review", false, "offer only approved revisions")
	cmd.Flags().StringArrayVar(&l.Sources, "source", nil,
		"offer only skills whose source starts with `TEXT`; may be repeated")
	return cmd
}

func (o *options) newList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list TENANT",
		Short: "List the pools of a tenant",
		Args:  cobra.ExactArgs(1),
		RunE: o.with(func(ctx context.Context, s *truth.Store, args []string) error {
			pools, err := s.Pools(ctx, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return o.app.PrintJSON(pools)
			}
			for _, p := range pools {
				seen := "everybody"
				if len(p.Roles) > 0 {
					seen = strings.Join(p.Roles, ", ")
				}
				fmt.Fprintf(o.app.Stdout, "%s: %s, %d offered, %d awaiting approval, visible to %s\n",
					p.Name, wording.Count(p.Skills, "skill"), p.Offered, p.Pending, seen)
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func (o *options) newReview(verb, short string) *cobra.Command {
	var why string
	var revision int
	cmd := &cobra.Command{
		Use:   verb + " TENANT/POOL SKILL...",
		Short: short,
		Args:  cobra.MinimumNArgs(2),
		RunE: o.with(func(ctx context.Context, s *truth.Store, args []string) error {
			tenant, pool, err := split(args[0])
			if err != nil {
				return err
			}
			var errs []error
			for _, name := range args[1:] {
				if verb == "approve" {
					errs = append(errs, s.Approve(ctx, o.actor(), tenant, pool, name, revision))
				} else {
					errs = append(errs, s.Withdraw(ctx, o.actor(), tenant, pool, name, why))
				}
			}
			return errors.Join(errs...)
		}),
	}
	if verb == "approve" {
		cmd.Flags().IntVar(&revision, "revision", 0, "approve revision `N` instead of the newest")
	} else {
		cmd.Flags().StringVar(&why, "why", "", "record this `REASON` in the audit log")
	}
	return cmd
}

func (o *options) newKey() *cobra.Command {
	var roles []string
	var days int
	cmd := &cobra.Command{
		Use:   "key TENANT SUBJECT",
		Short: "Create a key for SUBJECT, a user or an agent, and print it",
		Args:  cobra.ExactArgs(2),
		RunE: o.with(func(ctx context.Context, s *truth.Store, args []string) error {
			if days < 1 || days > 3660 {
				return app.Usage("--days is %d but must be 1 to 3660", days)
			}
			who := truth.Identity{Tenant: args[0], Subject: args[1], Roles: roles}
			key, err := s.NewKey(ctx, o.actor(), who, o.app.Now().AddDate(0, 0, days))
			if err != nil {
				return err
			}
			fmt.Fprintln(o.app.Stdout, key)
			return nil
		}),
	}
	cmd.Flags().StringArrayVar(&roles, "role", nil, "give SUBJECT this `ROLE`; may be repeated")
	cmd.Flags().IntVar(&days, "days", 90, "let the key expire after `N` days")
	return cmd
}

func (o *options) newRevoke() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke TENANT SUBJECT",
		Short: "Revoke all keys of SUBJECT",
		Long: `revoke invalidates all keys of SUBJECT. All replicas reject them within 30 seconds. Tokens from
an OIDC issuer must be revoked at the issuer.`,
		Args: cobra.ExactArgs(2),
		RunE: o.with(func(ctx context.Context, s *truth.Store, args []string) error {
			n, err := s.Revoke(ctx, o.actor(), args[0], args[1])
			if err != nil {
				return err
			}
			fmt.Fprintf(o.app.Stdout, "keys of %s revoked: %d\n", args[1], n)
			return nil
		}),
	}
}

func (o *options) newAudit() *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:   "audit TENANT",
		Short: "Print the audit log of a tenant, newest entries first",
		Args:  cobra.ExactArgs(1),
		RunE: o.with(func(ctx context.Context, s *truth.Store, args []string) error {
			if limit < 1 {
				return app.Usage("--limit is %d but must be 1 or more", limit)
			}
			events, err := s.Audited(ctx, args[0], limit)
			if err != nil {
				return err
			}
			for _, e := range events {
				fmt.Fprintf(o.app.Stdout, "%s %s %s %s %s %s\n", e.Time.UTC().Format(time.RFC3339), e.Actor, e.Action, e.Pool,
					strings.Join(e.Skills, ","), app.Visible(e.Detail))
			}
			return nil
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 100, "print at most `N` entries")
	return cmd
}
