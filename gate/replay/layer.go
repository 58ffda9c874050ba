package replay

import (
	"context"
	"slices"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

// Layered returns a function that opens a gate with below, hides the skills whose IDs are in hide, and adds the entries
// in add (see index.Layer).
func Layered(ctx context.Context, below func(*Prompt) (*gate.Gate, error), hide []string, add index.Options,
) func(*Prompt) (*gate.Gate, error) {
	return func(p *Prompt) (*gate.Gate, error) {
		g, err := below(p)
		if err != nil {
			return g, err
		}
		var extra *index.Index
		if len(add.Entries) > 0 {
			// Each gate needs its own index, because closing the gate closes the index.
			own := add
			own.Entries = slices.Clone(add.Entries)
			if extra, err = index.Layer(ctx, own, g.Dict()); err != nil {
				g.Close()
				return nil, err
			}
		}
		return g, g.Overlay(hide, extra)
	}
}

// Reading returns a copy of s that analyzes prompts with dict instead of its indexes' dictionary.
func (s *Side) Reading(dict *synonyms.Dict) *Side {
	read := *s
	read.Open = func(p *Prompt) (*gate.Gate, error) {
		g, err := s.Open(p)
		if err == nil {
			g.Read(dict)
		}
		return g, err
	}
	return &read
}
