// Package export implements the command that sends the log to an OpenTelemetry collector.
package export

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"oras.land/oras-go/v2/registry/remote/retry"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/otlp"
	"github.com/skillgate/skillgate/gate/journal/store"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/gate/workspace"
)

type options struct {
	app      *app.App
	endpoint string
	settle   time.Duration
	json     bool
}

// New returns the export command.
func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Send decisions and skill uses to an OpenTelemetry collector",
		Long: `export sends new log entries to an OpenTelemetry collector, over HTTP with Protocol Buffers: one
log record for each decision, with its outcome, and one for each use of a skill. The hook sends
nothing, so run export from a timer, such as cron.

Decisions are sent in order, each after its turn has ended or --settle has passed. If the
collector does not respond, the remaining entries stay in the log for the next run. A record may
arrive twice; both copies have the same log.record.uid.

The setting export.prompts says how much of a prompt is sent: none (the default), hash, terms or
full (the redacted text), but never more than log.prompts keeps. Paths are shortened to the
part from the skills folder on, and projects are sent as a hash.

OpenTelemetry's variables set the destination, as for Claude Code's own telemetry:
OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS,
OTEL_EXPORTER_OTLP_CERTIFICATE and OTEL_RESOURCE_ATTRIBUTES. Commands such as
` + "`skillgate-org stats --team`" + ` filter by the attribute "team".`,
		Example: `  skillgate-org export --endpoint http://localhost:4318
  OTEL_RESOURCE_ATTRIBUTES=team=payments skillgate-org export --endpoint https://otel.example.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.endpoint, "endpoint", "",
		"send to the collector with the base `URL` (default: OTEL_EXPORTER_OTLP_ENDPOINT)")
	cmd.Flags().DurationVar(&o.settle, "settle", time.Hour,
		"send a decision after `SPAN` even if its turn has not ended")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	return cmd
}

func (o *options) run(ctx context.Context) error {
	a := o.app
	to, err := o.collector()
	if err != nil {
		return err
	}
	attributes, err := pairs(a.Getenv("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil {
		return app.Fail("separate NAME=VALUE pairs with commas", "OTEL_RESOURCE_ATTRIBUTES: %v", err)
	}
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	if !store.Exists(d.State) {
		return app.Fail("run `skillgate install` to register the hook, which writes the log",
			"there is no log on this machine yet")
	}
	db, err := store.Open(ctx, d.State)
	if err != nil {
		return app.Hint(err, "run `skillgate log` to see what is wrong with the log")
	}
	defer db.Close()
	if _, err := db.Fold(ctx, a.Now(), 3*time.Second); err != nil && !errors.Is(err, store.ErrBusy) {
		return app.Hint(err, "run `skillgate log` to see what is wrong with the log")
	}
	options := otlp.Options{To: to, Prompts: settings.Export.Prompts, Settle: o.settle, Resource: attributes,
		Version: build.Read().Version, Now: a.Now}
	if settings.Export.Prompts == journal.Terms {
		dict, err := workspace.Dict(d)
		if err != nil {
			return app.Hint(err, "run `skillgate doctor` to check your synonyms")
		}
		options.Terms = index.NewAnalyzer(dict).Terms
	}
	var bar *app.Bar
	if last, use, _, err := db.Ends(ctx); err == nil {
		options.Progress = func(sent int) {
			if bar == nil {
				bar = a.Progress("sending", o.json)
			}
			bar.Set(sent, int(last+use))
		}
	}
	sum, err := otlp.Export(ctx, db, options)
	if bar != nil {
		bar.Done()
	}
	if sum.Lost > 0 {
		a.Note("decisions deleted from the log before they were sent: %d; run the export more often", sum.Lost)
	}
	if sum.Rejected > 0 {
		a.Note("records rejected by the collector: %d; see the collector's log", sum.Rejected)
	}
	_, refused := errors.AsType[*otlp.Refused](err)
	switch {
	case refused:
		return app.Hint(err,
			"nothing is lost; check the address, OTEL_EXPORTER_OTLP_HEADERS, and that the collector accepts OTLP over HTTP")
	case errors.Is(err, otlp.ErrUnreachable):
		return app.Hint(err, fmt.Sprintf("%s sent; the others stay in the log for the next run",
			wording.Count(sum.Decisions+sum.Uses, "record")))
	case err != nil:
		return err
	}
	if o.json {
		return a.PrintJSON(sum)
	}
	if sum.Decisions+sum.Uses == 0 && sum.Waiting == 0 {
		_, err = fmt.Fprintln(a.Stdout, "nothing new to send")
		return err
	}
	_, err = fmt.Fprintf(a.Stdout,
		"sent %s and %s to %s (export.prompts: %s); decisions whose turn has not ended yet: %d\n",
		wording.Count(sum.Decisions, "decision"), wording.Count(sum.Uses, "use"), otlp.Redacted(to.Address),
		settings.Export.Prompts, sum.Waiting)
	return err
}

func (o *options) collector() (otlp.Collector, error) {
	getenv := o.app.Getenv
	base := cmp.Or(o.endpoint, getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	to := otlp.Collector{Address: strings.TrimSuffix(base, "/") + "/v1/logs"}
	if logs := getenv("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"); logs != "" && o.endpoint == "" {
		to.Address = logs
	} else if base == "" {
		return to, app.Fail("set --endpoint or OTEL_EXPORTER_OTLP_ENDPOINT, for example http://localhost:4318",
			"no collector given")
	}
	u, err := url.Parse(to.Address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return to, app.Fail("use a URL such as http://localhost:4318", "%q is not a collector's URL",
			otlp.Redacted(to.Address))
	}
	if u.Port() == "4317" {
		o.app.Note("port 4317 is usually for gRPC; OTLP over HTTP uses 4318")
	}
	if to.Headers, err = pairs(getenv("OTEL_EXPORTER_OTLP_HEADERS")); err != nil {
		return to, app.Fail("separate NAME=VALUE pairs with commas", "OTEL_EXPORTER_OTLP_HEADERS: %v", err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if file := getenv("OTEL_EXPORTER_OTLP_CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file)
		pool := x509.NewCertPool()
		if err != nil || !pool.AppendCertsFromPEM(text) {
			return to, app.Fail("set the variable to a file that contains PEM certificates",
				"OTEL_EXPORTER_OTLP_CERTIFICATE: cannot read a certificate from %s", file)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	to.Client = &http.Client{Transport: retry.NewTransport(transport), Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return to, nil
}

// pairs parses NAME=VALUE,NAME=VALUE with percent-encoded values (W3C Baggage). Its errors contain no values, which may
// be secret.
func pairs(text string) (map[string]string, error) {
	out := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, errors.New("entries must be NAME=VALUE")
		}
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		if err != nil {
			return nil, fmt.Errorf("the value of %s has invalid percent-encoding", key)
		}
		out[key] = decoded
	}
	delete(out, "service.name") // always skillgate, even if the variable was set for another program
	return out, nil
}
