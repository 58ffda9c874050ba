// Package serve implements the command that serves a registry of skills.
package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/time/rate"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/replica"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/serve"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/verb/pool"
)

type options struct {
	app      *app.App
	database string
	listen   string
	url      string
	cache    string
	issuer   serve.Issuer
	poll     time.Duration
	rate     float64
	burst    int
}

// New returns the serve command.
func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve skills from a database over MCP and a JSON API",
		Long: `serve answers MCP clients over HTTP at /mcp (skill_lookup, skill_load and the Skills
extension) and other programs at /v1/lookup, /v1/load and /v1/library. Each caller gets
the skills that its tenant and roles allow. To fill the database, use ` + "`skillgate-org pool`" + `.

Any number of replicas may serve one database, each with its own cache. Callers send a key
from ` + "`skillgate-org pool key`" + ` or a token from --issuer, which must be a JSON Web Token for
--audience with the claims sub, tenant and roles.

serve does not offer TLS; put a proxy in front of it.`,
		Example: `  skillgate-org serve --database postgres://localhost/skills
  skillgate-org serve --listen 0.0.0.0:8080 --url https://skills.example.com --issuer https://login.example.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVar(&o.database, "database", "", "use the database at `URL` (default: SKILLGATE_DATABASE)")
	f.StringVar(&o.listen, "listen", "127.0.0.1:8080", "listen at `ADDRESS`")
	f.StringVar(&o.url, "url", "", "use `URL` as the service's public address (default: http:// followed by --listen)")
	f.StringVar(&o.cache, "cache", "", "keep copies of the indexes in `FOLDER` (default: the user's cache folder)")
	f.StringVar(&o.issuer.URL, "issuer", "", "accept tokens from the OpenID Connect issuer at `URL`")
	f.StringVar(&o.issuer.Audience, "audience", "", "accept only tokens for `AUDIENCE` (default: --url followed by /mcp)")
	f.StringVar(&o.issuer.Tenant, "tenant-claim", "tenant", "read the tenant from this `CLAIM` of a token")
	f.StringVar(&o.issuer.Roles, "roles-claim", "roles", "read the roles from this `CLAIM` of a token")
	f.DurationVar(&o.poll, "poll", 15*time.Second, "read changes from the database every `INTERVAL`, at most 60s")
	f.Float64Var(&o.rate, "rate", 20, "allow each caller `N` requests per second")
	f.IntVar(&o.burst, "burst", 40, "allow each caller `N` requests at once, concurrent or in a burst")
	return cmd
}

const patience = 2 * time.Second

func (o *options) run(ctx context.Context) error {
	a := o.app
	d, err := a.Places()
	if err != nil {
		return err
	}
	if o.poll <= 0 || o.poll > time.Minute {
		return app.Usage("--poll is %s but must be more than 0 and at most 60s", o.poll)
	}
	if o.rate <= 0 || o.burst < 1 {
		return app.Usage("--rate and --burst must be more than 0")
	}
	if o.issuer.URL != "" {
		u, err := url.Parse(o.issuer.URL)
		if err == nil {
			err = serve.CheckIssuer(u)
		}
		if err != nil {
			return app.Hint(err, "only an issuer on this machine may use http")
		}
	}
	s, err := pool.Open(ctx, a, o.database)
	if err != nil {
		return err
	}
	defer s.Close()
	at, err := net.Listen("tcp", o.listen)
	if err != nil {
		return app.Hint(err, "another program may be using the port; choose another with --listen")
	}
	if o.url == "" {
		o.url = "http://" + at.Addr().String()
	}
	o.url = strings.TrimSuffix(o.url, "/")
	o.issuer.Audience = cmp.Or(o.issuer.Audience, o.url+"/mcp")
	if o.cache == "" {
		o.cache = d.Cache
	} else {
		o.cache = filepath.Clean(a.Absolute(o.cache))
	}
	host, _ := os.Hostname() // for people who read the leases in the database
	log := slog.New(slog.NewTextHandler(a.Stderr, nil))
	service := &serve.Service{
		Replica: &replica.Replica{Store: s, Cache: o.cache, Poll: o.poll, Patience: patience, Log: log,
			Name: host + " " + rand.Text()},
		Issuer: &o.issuer, URL: o.url, Rate: rate.Limit(o.rate), Burst: o.burst, Log: log, Version: build.Read().Version,
	}
	server := &http.Server{
		Handler: service.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError),
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	ran := make(chan struct{})
	go func() { service.Run(running); close(ran) }()
	defer func() { stop(); <-ran }()
	log.Info("listening", "address", at.Addr().String())
	served := make(chan error, 1)
	go func() { served <- server.Serve(at) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		stopping, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		return server.Shutdown(stopping)
	}
}
