// Package collect is the command that keeps in PostgreSQL what machines export.
package collect

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/central"
)

type options struct {
	app       *app.App
	database  string
	listen    string
	tokenFile string
	schema    bool
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
  skillgate-org collect --print-schema | less`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.database, "database", "", "`URL` of the database; without it SKILLGATE_DATABASE")
	cmd.Flags().StringVar(&o.listen, "listen", "127.0.0.1:4318", "`ADDRESS` to listen at")
	cmd.Flags().StringVar(&o.tokenFile, "token-file", "", "`FILE` with the token that senders must give as Authorization: Bearer")
	cmd.Flags().BoolVar(&o.schema, "print-schema", false, "print the SQL of tables and views, and end")
	return cmd
}

func (o *options) run(ctx context.Context) error {
	a := o.app
	if o.schema {
		_, err := fmt.Fprint(a.Stdout, central.Schema())
		return err
	}
	token := ""
	if o.tokenFile != "" {
		text, err := os.ReadFile(a.Absolute(o.tokenFile))
		if err != nil {
			return app.Fail("", "--token-file: %v", err)
		}
		if token = strings.TrimSpace(string(text)); len(token) < 16 {
			return app.Fail("`openssl rand -hex 32` makes one", "--token-file: a token has at least 16 characters")
		}
	}
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return app.Fail("it is HOST:PORT, as 127.0.0.1:4318", "--listen: %v", err)
	}
	if ip := net.ParseIP(host); token == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return app.Fail("give --token-file", "at %s other machines could write without a token", o.listen)
	}
	s, err := Open(ctx, a, o.database)
	if err != nil {
		return err
	}
	defer s.Close()
	log := slog.New(slog.NewTextHandler(a.Stderr, nil))
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	at, err := net.Listen("tcp", o.listen)
	if err != nil {
		return app.Hint(err, "another collector may use the port; --listen takes another one")
	}
	log.Info("listening", "address", at.Addr().String())
	server := &http.Server{Handler: &central.Receiver{Store: s, Token: token, Log: log, Now: a.Now},
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(at) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Open opens the database at address, or at SKILLGATE_DATABASE where that is "".
func Open(ctx context.Context, a *app.App, address string) (*central.Store, error) {
	if address == "" {
		address = a.Getenv("SKILLGATE_DATABASE")
	}
	if address == "" {
		return nil, app.Fail("give --database or SKILLGATE_DATABASE, for example postgres://localhost/telemetry", "there is no database to use")
	}
	s, err := central.Open(ctx, address)
	if errors.Is(err, central.ErrNewer) {
		return nil, app.Hint(err, "use the version of skillgate-org that made them; nothing was changed")
	}
	if err != nil {
		return nil, app.Hint(err, "check the address, and that the role may create a schema in the database")
	}
	return s, nil
}
