package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/internal/build"
	"github.com/skillgate/skillgate/gate/plural"
	"github.com/skillgate/skillgate/gate/replay"
	"github.com/skillgate/skillgate/gate/replay/lab"
)

func writeGold(ctx context.Context, m *lab.Lab, src *prompts, f *Options) error {
	a := f.App
	find, err := m.Skills(ctx, &f.change)
	if err != nil {
		return err
	}
	notes := &replay.Notes{}
	w, err := replay.WriteGold(ctx, a.Absolute(f.file), src.source, src.filter, find, notes)
	if err != nil {
		return app.Hint(err, "gold makes a new file; choose a name that is free, in a folder that exists")
	}
	if f.JSON {
		return a.JSONLines().Encode(struct {
			replay.GoldWritten
			Source replay.Notes `json:"source"`
		}{w, *notes})
	}
	fmt.Fprintf(a.Stdout, "%s written to %s\n", plural.Of(w.Labels, "labelled prompt"), f.file)
	fmt.Fprintf(a.Stdout,
		"left out: %s without a known use, %d without their text; %s of skills that are not installed\n",
		plural.Of(w.Unknown, "prompt"), w.NoText, plural.Of(w.Missing, "use"))
	return nil
}

// tuneCandidates is how deep tune looks: the largest top_k that it tries, and
// agents beside them.
const tuneCandidates = 20

func proposeThresholds(ctx context.Context, m *lab.Lab, src *prompts, f *Options) error {
	e := f.App
	side, err := m.Side(ctx, &f.change, tuneCandidates)
	if err != nil {
		return err
	}
	a := side
	if src.logged {
		a = &replay.Side{Name: "recorded", Logged: true}
	}
	bar := e.Progress("replaying", src.ownBar)
	t, err := replay.Tune(ctx, replay.Job{Source: src.source, Filter: src.filter, A: a, B: side, Notes: &replay.Notes{},
		Progress: func(n int) { bar.Set(n, max(n, src.total)) }}, f.keys)
	bar.Done()
	if errors.Is(err, replay.ErrSample) {
		return app.Hint(err, "keep using skills, or add `--from transcripts`; thresholds from fewer prompts would be noise")
	}
	if err != nil {
		return err
	}
	if f.JSON {
		return e.PrintJSON(t)
	}
	return printTuning(e, t)
}

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
