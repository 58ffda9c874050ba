package replay

import (
	"context"
	"slices"

	"github.com/skillgate/skillgate/gate/journal"
	"github.com/skillgate/skillgate/gate/journal/store"
)

// WithTranscripts adds to the prompts of a log the uses that transcripts tell of
// and the log does not: the host ends hooks that still run when it exits, so that
// the last uses of a session may be missing. Turns are matched by the host's id of
// the prompt, or, where it has none, by session and text.
func WithTranscripts(log, transcripts Source) Source {
	return func(ctx context.Context, f store.Filter, notes *Notes, yield func(*Prompt) error) error {
		type told struct {
			uses []journal.Outcome
			over bool
		}
		turns := map[string]told{}
		// All of them: a log is filtered by what its decisions say.
		err := transcripts(ctx, store.Filter{}, notes, func(p *Prompt) error {
			for _, key := range p.keys() {
				t := turns[key]
				turns[key] = told{append(t.uses, p.Uses...), p.Over}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return log(ctx, f, notes, func(p *Prompt) error {
			for _, key := range p.keys() {
				t, ok := turns[key]
				if !ok {
					continue
				}
				p.Over = p.Over || t.over
				for _, u := range t.uses {
					if !slices.ContainsFunc(p.Uses,
						func(o journal.Outcome) bool { return o.Tool == u.Tool && journal.SameSkill(o.Skill, u.Skill) }) {
						p.Uses = append(p.Uses, u)
					}
				}
				break
			}
			return yield(p)
		})
	}
}

// keys returns the keys of the turn that a prompt began, the surest first.
func (p *Prompt) keys() []string {
	var keys []string
	if p.PromptID != "" {
		keys = append(keys, "id\x00"+p.PromptID)
	}
	if p.Session != "" && p.Text != "" && !p.Cut {
		keys = append(keys, "text\x00"+p.Session+"\x00"+p.Text)
	}
	return keys
}
