package enrichment

import (
	"context"
	"errors"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
)

// Store opens the store, for writing or reading, with the entries of a session here.
func Store(ctx context.Context, a *app.App, write bool) (*enrich.Store, []catalog.Entry, error) {
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return nil, nil, err
	}
	entries, err := Skills(ctx, a, d, s)
	if err != nil {
		return nil, nil, err
	}
	open := enrich.Load
	if write {
		open = enrich.Open
	}
	known, err := open(d.State)
	if err != nil {
		return nil, nil, Hint(err)
	}
	return known, entries, nil
}

// Hint adds the next step to an error of the store or a provider.
func Hint(err error) error {
	var fault *enrich.Fault
	var exit *app.Error
	switch err = app.OpenError(err); {
	case errors.As(err, &exit):
		return err
	case errors.Is(err, enrich.ErrBusy):
		return app.Hint(err, "wait for it, or end it; what it has written stays")
	case errors.Is(err, context.Canceled):
		return app.Fail("run the same command again to continue", "stopped")
	case errors.As(err, &fault) && fault.Hint != "":
		return app.Hint(err, fault.Hint)
	}
	return app.Hint(err, "run the same command again to continue")
}
