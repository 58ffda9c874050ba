package gate

import (
	"math"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/need"
)

// Bounds of byChance: round numbers in ranges where the results hardly change. The command to measure both rules
// together is `skillgate-dev table ablation FOLDER --of chance`.
const (
	manyTokens = 24   // a longer prompt shares words with every skill
	flatSpread = 0.5  // below it the sixth to the twentieth candidate average more than half of the best score
	fewParts   = 0.04 // share of concepts that are parts of an app: one of 25
	muchText   = 0.4  // share of the best score that comes from body and headings alone
)

// byChance reports whether the best candidate's matches look accidental: many skills match a long prompt about as well,
// or the prompt names parts of an app that occur in the skill's text but not in its description.
func byChance(x *need.Features, best []Match) bool {
	if math.Expm1(x[need.Length]) > manyTokens && x[need.Spread] < flatSpread {
		return true
	}
	return x[need.AppParts] > fewParts && textShare(best) > muchText
}

func textShare(matched []Match) float64 {
	own := map[string]bool{} // terms that also occur in other fields
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
