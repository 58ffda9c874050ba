// Package listing implements the command listing, with which the plugin shortens the host's list of skills.
package listing

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/hooks/listing"
)

// maxText limits the input in bytes; 80,000 names take less.
const maxText = 16 << 20

type options struct {
	App        *app.App
	Characters int // limit for the user's skills
}

func New(a *app.App) *cobra.Command {
	o := &options{App: a}
	cmd := &cobra.Command{
		Use:   "listing",
		Short: "Shorten the host's list of skills (the plugin runs this)",
		Long: `listing reads the list of skills that Claude Code is about to send to the model
and prints it without most of the user's skills. Within the limit of characters
it keeps the most used skills, then those used in logs of any host, those of the
project and the newest. It adds a line that says how many more there are and how
to find them. Skills that are not in the index stay too, because the hook cannot
suggest them. A list that fits is printed unchanged.`,
		Example: "  skillgate listing --characters 2000 < list.txt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Characters < 0 {
				return app.Usage("--characters must be 0 or more, not %d", o.Characters)
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().IntVar(&o.Characters, "characters", 2000, "keep at most `N` characters of the list of the user's skills")
	return cmd
}

func run(_ context.Context, o *options) error {
	a := o.App
	d, s, err := a.PlacesAndSettings()
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(a.Stdin, maxText+1))
	switch {
	case err != nil:
		return fmt.Errorf("read listing: %w", err)
	case len(text) > maxText:
		return fmt.Errorf("read listing: the input has more than %d bytes", maxText)
	}
	var g *gate.Gate
	if !s.Disabled {
		if g, err = gate.Open(d, a.Cwd, s); err != nil {
			return app.Hint(err, "run \"skillgate index\"")
		}
		defer g.Close()
	}
	short, err := listing.NewShortener(g, a.Session(d), a.Now())
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.Data(), short.Shorten(string(text), o.Characters))
	return err
}
