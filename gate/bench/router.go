package bench

import (
	"context"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

// DefaultK is the deepest cutoff of the measures of our own prompts.
const DefaultK = 20

// OfGate answers prompts as the hook does, without a session or a deadline.
func OfGate(ctx context.Context, g *gate.Gate) Router { return gateRouter{ctx, g} }

type gateRouter struct {
	ctx  context.Context
	gate *gate.Gate
}

// Decide answers one prompt.
func (r gateRouter) Decide(prompt string, k int) gate.Decision {
	return r.gate.Decide(r.ctx, gate.Request{Prompt: triage.Classify(secret.Redact(prompt)), K: k})
}
