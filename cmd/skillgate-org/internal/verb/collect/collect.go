// Package collect is the command that keeps in PostgreSQL what machines export.
package collect

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/central"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/listen"
)

type options struct {
	app       *app.App
	database  string
	listen    string
	tokenFile string
}

// New returns the command.
func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "collect",
		Short: "Keep what machines export in PostgreSQL, with views to query",
		Long: `collect takes OTLP over HTTP, from an OpenTelemetry collector or straight from
` + "`skillgate-org export otlp`" + `, and keeps each record once in PostgreSQL (13 or later, no
extension). What it answered is committed; while the database does not answer, senders are
asked to come back. It makes its tables, one partition a month, in the schema skillgate.

Views answer the usual questions: skillgate.skills (use by skill and team), follow_rate,
unfound (used, but not found by prompts), silence, speed, activity.

Beyond this machine it needs --token-file, and TLS from a proxy in front of it.`,
		Example: `  skillgate-org collect --database postgres://localhost/telemetry
  skillgate-org collect schema | less`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.database, "database", "", "`URL` of the database; without it SKILLGATE_DATABASE")
	cmd.Flags().StringVar(&o.listen, "listen", "127.0.0.1:4318", "`ADDRESS` to listen at")
	cmd.Flags().StringVar(&o.tokenFile, "token-file", "",
		"`FILE` with the token that senders must give as Authorization: Bearer")
	cmd.AddCommand(&cobra.Command{
		Use:     "schema",
		Short:   "Print the SQL of tables and views",
		Example: "  skillgate-org collect schema | less",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.Stdout, central.Schema())
			return err
		},
	})
	app.Elsewhere(cmd, map[string]string{"print-schema": "skillgate-org collect schema"})
	return cmd
}

func (o *options) run(ctx context.Context) error {
	a := o.app
	token := ""
	if o.tokenFile != "" {
		text, err := os.ReadFile(a.Absolute(o.tokenFile))
		if err != nil {
			return app.Usage("--token-file: %v", err)
		}
		if token = strings.TrimSpace(string(text)); len(token) < 16 {
			return app.Fail("`openssl rand -hex 32` makes one", "--token-file: a token has at least 16 characters")
		}
	}
	if _, _, err := net.SplitHostPort(o.listen); err != nil {
		return app.Fail("it is HOST:PORT, as 127.0.0.1:4318", "--listen: %v", err)
	}
	if token == "" && !listen.Local(o.listen) {
		return app.Fail("give --token-file", "at %s other machines could write without a token", o.listen)
	}
	s, err := Open(ctx, a, o.database)
	if err != nil {
		return err
	}
	defer s.Close()
	log := slog.New(slog.NewTextHandler(a.Stderr, nil))
	at, err := net.Listen("tcp", o.listen)
	if err != nil {
		return app.Hint(err, "another collector may use the port; --listen takes another one")
	}
	return listen.Serve(ctx, at, &central.Receiver{Store: s, Token: token, Log: log, Now: a.Now}, log)
}

// Open opens the database at address, or at SKILLGATE_DATABASE where that is "".
func Open(ctx context.Context, a *app.App, address string) (*central.Store, error) {
	return listen.Database(a, address, func(address string) (*central.Store, error) { return central.Open(ctx, address) })
}
