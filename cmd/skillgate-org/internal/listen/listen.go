// Package listen is what the services of skillgate-org do alike: opening a database, and answering
// requests until they are told to end.
package listen

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate-org/internal/postgres"
)

// Database opens the database at address, or at SKILLGATE_DATABASE where that is "".
func Database[T any](a *app.App, address string, open func(address string) (T, error)) (T, error) {
	var none T
	address = cmp.Or(address, a.Getenv("SKILLGATE_DATABASE"))
	if address == "" {
		return none, app.Fail("give --database or SKILLGATE_DATABASE, for example postgres://localhost/telemetry",
			"there is no database to use")
	}
	s, err := open(address)
	switch {
	case errors.Is(err, postgres.ErrVersion):
		return none, app.Hint(err,
			"install the version of skillgate-org that made them, or name another database; nothing was changed")
	case err != nil:
		return none, app.Hint(err, "check the address, and that the role may create a schema in the database")
	}
	return s, nil
}

// Local reports whether a host, with its port or without, is this machine.
func Local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Serve answers requests at an address until ctx ends or a signal comes, and those that run to
// their end.
func Serve(ctx context.Context, at net.Listener, handler http.Handler, log *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log.Info("listening", "address", at.Addr().String())
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError),
	}
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
