package gate

import (
	"context"
	_ "embed"
	"strings"

	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/triage"
)

// backgroundText holds prompts, one per line, that people type while they develop software and that need no skill.
//
//go:embed background.txt
var backgroundText string

// backgroundMemory is the size, in bytes, of the postings cache that Background uses.
const backgroundMemory = 64 << 20

// Background measures how an index answers the prompts of backgroundText, which are unrelated to its skills. If
// backgroundText or the meaning of a feature changes, the index's Format must change too.
func Background(x *index.Index) []float64 {
	g := OpenIndexes(Default(), []string{""}, x)
	g.background, g.Need = nil, need.New(nil, 0, need.Features{}, 0)
	g.Off.Steps = true // only the features of whole prompts count
	g.ranker.Share(rank.NewMemory(g.ranker.Weights, backgroundMemory), "")
	var answers []need.Features
	for line := range strings.Lines(backgroundText) {
		prompt := triage.Classify(line)
		g.Decide(context.Background(),
			Request{Prompt: prompt, NoContext: true, Observe: func(x need.Features) { answers = append(answers, x) }})
	}
	return need.BackgroundOf(answers)
}
