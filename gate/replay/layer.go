package replay

import (
	"context"
	"errors"
	"slices"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/index"
)

// Layered opens what below opens, with skills left out and added, whose risk is given.
func Layered(ctx context.Context, below func(*Prompt) (*gate.Gate, error), hide []string, add []catalog.Entry,
	risk func(*catalog.Entry) float64) func(*Prompt) (*gate.Gate, error) {
	return func(p *Prompt) (*gate.Gate, error) {
		g, err := below(p)
		if err != nil {
			return g, err
		}
		var extra *index.Index
		if len(add) > 0 {
			// An index of its own for every gate, which closes it.
			if extra, err = index.Memory(ctx, slices.Clone(add), g.Dict(), risk); err != nil {
				return nil, errors.Join(err, g.Close())
			}
		}
		return g, g.Overlay(hide, extra)
	}
}
