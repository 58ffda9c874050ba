package replay

import (
	"context"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/replay/lab"
)

func exact(ctx context.Context, m *lab.Lab, src *prompts, f *Options) error {
	a := f.App
	if !src.logged {
		return app.Usage("these prompts have no logged decision to reproduce")
	}
	side, err := m.Recorded()
	if err != nil {
		return err
	}
	bar := a.Progress("reproducing", src.ownBar)
	x, err := replay.Verify(ctx, src.source, src.filter, &replay.Notes{}, side, build.Read().Version,
		func(n int) { bar.Set(n, max(n, src.total)) })
	bar.Done()
	if err != nil {
		return err
	}
	if f.JSON {
		err = a.PrintJSON(x)
	} else {
		err = printExact(a, x)
	}
	if err == nil && x.Different > 0 {
		return app.ErrFindings
	}
	return err
}
