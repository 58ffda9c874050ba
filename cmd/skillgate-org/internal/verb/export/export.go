// Package export is the command that sends the log to an OpenTelemetry collector.
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

// New returns the command.
func New(a *app.App) *cobra.Command {
	o := &options{app: a}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Send decisions and uses to an OpenTelemetry collector",
		Long: `export sends what was logged and not sent yet to an OpenTelemetry collector, over HTTP with
Protocol Buffers: a log record for each decision, with what came of it, and for each use
of a skill. The hook sends nothing: run this from a timer.

A decision is sent when its turn has ended, or after --settle where no end is known. Where the
collector does not answer, the rest stays in the log and goes with the next run. A record may
arrive twice, with the same log.record.uid.

What of a prompt leaves this machine is the setting export.prompts: none (the default), hash,
terms or full, which is the redacted text; never more than log.prompts keeps. Folders are not
sent: of a path, what lies below the folder of skills, and of a project a hash.

The variables of OpenTelemetry say where and as what to send, as for Claude Code's own
telemetry: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS,
OTEL_EXPORTER_OTLP_CERTIFICATE and OTEL_RESOURCE_ATTRIBUTES, whose
team ` + "`skillgate-org stats --team`" + ` and the like choose by.`,
		Example: `  skillgate-org export --endpoint http://localhost:4318
  OTEL_RESOURCE_ATTRIBUTES=team=payments skillgate-org export --endpoint https://otel.example.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	cmd.Flags().StringVar(&o.endpoint, "endpoint", "",
		"base `URL` of the collector; without it OTEL_EXPORTER_OTLP_ENDPOINT")
	cmd.Flags().DurationVar(&o.settle, "settle", time.Hour,
		"a decision without a known end is sent when it is older than `SPAN`")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
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
		return app.Fail("it is a list of key=value, separated by commas", "OTEL_RESOURCE_ATTRIBUTES: %v", err)
	}
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	if !store.Exists(d.State) {
		return app.Fail("`skillgate install` registers the hook, which logs", "nothing was logged on this machine yet")
	}
	db, err := store.Open(ctx, d.State)
	if err != nil {
		return app.Hint(err, "`skillgate log` says what is wrong with the log")
	}
	defer db.Close()
	if _, err := db.Fold(ctx, a.Now(), 3*time.Second); err != nil && !errors.Is(err, store.ErrBusy) {
		return app.Hint(err, "`skillgate log` says what is wrong with the log")
	}
	options := otlp.Options{To: to, Prompts: settings.Export.Prompts, Settle: o.settle, Resource: attributes,
		Version: build.Read().Version, Now: a.Now}
	if settings.Export.Prompts == journal.Terms {
		dict, err := workspace.Dict(d)
		if err != nil {
			return app.Hint(err, "`skillgate doctor` says what is wrong with your words")
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
		a.Note("removed from the log before they were sent: %s: export more often, or keep the log longer",
			wording.Count(int(sum.Lost), "decision"))
	}
	if sum.Rejected > 0 {
		a.Note("the collector did not keep %d of the records: its own log says why", sum.Rejected)
	}
	_, refused := errors.AsType[*otlp.Refused](err)
	switch {
	case refused:
		return app.Hint(err,
			"nothing is lost; check the address, the headers in OTEL_EXPORTER_OTLP_HEADERS, and that it speaks OTLP over HTTP")
	case errors.Is(err, otlp.ErrUnreachable):
		return app.Hint(err, fmt.Sprintf("sent: %s; the others wait in the log for the next run",
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
		"sent %s and %s to %s (prompts: %s); decisions that wait for the end of their turns: %d\n",
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
		return to, app.Fail("give --endpoint or OTEL_EXPORTER_OTLP_ENDPOINT, for example http://localhost:4318",
			"there is no collector to send to")
	}
	u, err := url.Parse(to.Address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return to, app.Fail("it is a URL as http://localhost:4318", "%q is not an address of a collector",
			otlp.Redacted(to.Address))
	}
	if u.Port() == "4317" {
		o.app.Note("4317 is usually the port of gRPC; OTLP over HTTP is at 4318")
	}
	if to.Headers, err = pairs(getenv("OTEL_EXPORTER_OTLP_HEADERS")); err != nil {
		return to, app.Fail("it is a list of name=value, separated by commas", "OTEL_EXPORTER_OTLP_HEADERS: %v", err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if file := getenv("OTEL_EXPORTER_OTLP_CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file)
		pool := x509.NewCertPool()
		if err != nil || !pool.AppendCertsFromPEM(text) {
			return to, app.Fail("it names a file of certificates in PEM",
				"OTEL_EXPORTER_OTLP_CERTIFICATE: %s has none that can be read", file)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	to.Client = &http.Client{Transport: retry.NewTransport(transport), Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return to, nil
}

// pairs reads key=value,key=value, whose values are percent-encoded (W3C Baggage). Errors do
// not repeat a value, which may be a secret.
func pairs(text string) (map[string]string, error) {
	out := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, errors.New("a part has no =")
		}
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		if err != nil {
			return nil, fmt.Errorf("%s is not percent-encoded", key)
		}
		out[key] = decoded
	}
	delete(out, "service.name") // it is skillgate, also where the variable is set for another program
	return out, nil
}
