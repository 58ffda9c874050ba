package gate

import (
	"math"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/need"
)

// Bounds of byChance. They are round figures in the middle of where the table changes little;
// `skillgate-dev table ablation BENCH --of chance` says what the two rules are worth.
const (
	manyTokens = 24   // above it a prompt shares words with every skill
	flatSpread = 0.5  // the sixth to the twentieth score more than half of the best
	fewParts   = 0.04 // one concept of 25 is a part of an app
	muchText   = 0.4  // of the best score, from terms of its body and headings alone
)

// byChance reports whether an unsure prompt seems to have met its best candidate, which
// matched so, by accident: a long prompt that many skills answer about as well, or words on the app
// at hand that stand in a skill's text, but not in what it says it is for.
func byChance(x *need.Features, best []Match) bool {
	if math.Expm1(x[need.Length]) > manyTokens && x[need.Spread] < flatSpread {
		return true
	}
	return x[need.AppParts] > fewParts && textShare(best) > muchText
}

func textShare(matched []Match) float64 {
	own := map[string]bool{} // terms that also stand elsewhere
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
