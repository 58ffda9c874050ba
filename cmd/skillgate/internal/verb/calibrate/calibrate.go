// Package calibrate implements the command calibrate, which adapts need_min to the log of this machine.
package calibrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/cmd/skillgate/internal/logged"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bar"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/need"
)

type options struct {
	App    *app.App
	JSON   bool
	DryRun bool
}

func New(a *app.App) *cobra.Command {
	o, back := &options{App: a}, false
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Tune need_min to how past suggestions were used",
		Long: `calibrate adapts need_min, the threshold above which skills are suggested, to
the log of this machine: suggestions that were used, suggestions that were not
used, and skills that were used without a suggestion. The threshold stays
between 0.31 and 0.77, and one repository or one skill alone cannot change it.

skillgate also calibrates at the start of a session. A need_min in a settings
file or in SKILLGATE_NEED_MIN overrides calibration; "calibrate: false" in
skillgate.yaml turns it off.`,
		Example: `  skillgate calibrate --dry-run
  skillgate calibrate
  skillgate calibrate --reset`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if back {
				return reset(cmd.Context(), o)
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show the result without changing anything")
	cmd.Flags().BoolVar(&back, "reset", false,
		"restore the default and learn only from prompts logged from now on")
	cmd.MarkFlagsMutuallyExclusive("reset", "dry-run")
	return cmd
}

func reset(ctx context.Context, o *options) error {
	a := o.App
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	lock, err := bar.Lock(ctx, d.State)
	if err != nil {
		return err
	}
	defer lock.Close()
	usual := gate.Default().NeedMin
	c := bar.Change{At: a.Now().UTC(), Model: need.Default().ID(), NeedMin: usual, From: usual, By: bar.Reset}
	if old, ok := gate.Bar(d); ok {
		c.From = old.NeedMin
	}
	if err := bar.Add(d.State, c); err != nil {
		return err
	}
	return o.print(d, settings, c, fmt.Sprintf("need_min was reset from %.3g to %.3g\n", c.From, c.NeedMin))
}

func run(ctx context.Context, o *options) error {
	a := o.App
	d, settings, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	db, err := logged.Open(ctx, a)
	if err != nil {
		return err
	}
	defer db.Close()
	by := bar.Command
	if o.DryRun {
		by = ""
	}
	c, err := db.Calibrate(ctx, d, a.Now(), by)
	err = logged.Error(err, db.Dir())
	few := errors.Is(err, bar.ErrFew)
	if err != nil && !few {
		return err
	}
	var said string
	switch would := map[bool]string{true: "would change", false: "changes"}[o.DryRun]; {
	case few:
		said = fmt.Sprintf("need_min stays at %.3g: too few outcomes (%s)\n", c.NeedMin, c.Known)
		if !o.JSON {
			a.Note("calibration needs at least %d prompts with a skill search, at least %d of them followed by a skill use",
				bar.MinTurns, bar.MinUses)
		}
	case c.NeedMin == c.From:
		said = fmt.Sprintf("need_min stays at %.3g, based on %s\n", c.NeedMin, c.Known)
	default:
		said = fmt.Sprintf("need_min %s from %.3g to %.3g, based on %s\n", would, c.From, c.NeedMin, c.Known)
	}
	return o.print(d, settings, c, said)
}

func (o *options) print(d dirs.Dirs, settings gate.Settings, c bar.Change, said string) error {
	a := o.App
	if o.JSON {
		changes, err := bar.Changes(d.State)
		if err != nil {
			return err
		}
		return a.PrintJSON(struct {
			bar.Change
			Changes []bar.Change `json:"changes"` // earlier changes, newest first
		}{c, changes})
	}
	fmt.Fprint(a.Stdout, said)
	if settings.NeedMin != c.NeedMin && settings.NeedMin != c.From {
		a.Note("calibration has no effect, because the settings set need_min to %.3g", settings.NeedMin)
	}
	return nil
}
