package gate

import (
	"math"

	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/triage"
)

// Defaults of score_min and need_min.
const (
	DefaultScoreMin = 6.0
	DefaultNeedMin  = 0.5
)

// need estimates how likely a skill helps with the prompt.
func (g *Gate) need(p triage.Prompt, res *rank.Result, skills, agents []candidate) float64 {
	top := 0.0
	if len(skills) > 0 {
		top = skills[0].Score
	}
	return 1 / (1 + math.Exp(-(top-10)/4))
}
