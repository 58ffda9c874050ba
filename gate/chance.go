package gate

import (
	"math"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/need"
)

// Limits used by byChance. They are rounded, since nearby values give almost the same results. `skillgate-dev table
// ablation FOLDER --of chance` measures the effect of both rules together.
const (
	manyTokens = 24   // words; longer prompts share words with every skill
	flatSpread = 0.5  // lower bound of need.Spread; below it, candidates 6 to 20 average more than half of the best score
	fewParts   = 0.04 // share of the prompt's concepts that name parts of an app (1 in 25)
	muchText   = 0.4  // share of the best score that comes only from body and headings
)

// byChance reports whether the best candidate's matches look accidental. They do if many skills match a long prompt
// nearly as well, or if the prompt names parts of an app that only the skill's body or headings mention.
func byChance(x *need.Features, best []Match) bool {
	if math.Expm1(x[need.Length]) > manyTokens && x[need.Spread] < flatSpread {
		return true
	}
	return x[need.AppParts] > fewParts && textShare(best) > muchText
}

func textShare(matched []Match) float64 {
	own := map[string]bool{} // terms that also match in other fields
	for _, m := range matched {
		if m.Field != index.Body.String() && m.Field != index.Headings.String() {
			own[m.Term] = true
		}
	}
	text, all := 0.0, 0.0
	for _, m := range matched {
		all += m.Score
		if !own[m.Term] {
			text += m.Score
		}
	}
	if all <= 0 {
		return 0
	}
	return text / all
}
