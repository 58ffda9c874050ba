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

// backgroundText has one prompt per line: prompts that people type while they build something and that need no skill.
//
//go:embed background.txt
var backgroundText string

// backgroundMemory is the size, in bytes, of the postings cache that Background uses.
const backgroundMemory = 64 << 20

// Background returns the need.Background of an index: figures on how the index answers unrelated prompts. If
// backgroundText or the meaning of a feature changes, the index's Format must change too.
func Background(x *index.Index) []float64 {
	g := OpenIndexes(Default(), []string{""}, x)
	g.background, g.Need = nil, need.New(nil, 0, need.Features{}, 0)
	g.ranker.Share(rank.NewMemory(g.ranker.Weights, backgroundMemory), "")
	var answers []need.Features
	for line := range strings.Lines(backgroundText) {
		prompt := triage.Classify(line)
		g.Decide(context.Background(),
			Request{Prompt: prompt, NoContext: true, Observe: func(x need.Features) { answers = append(answers, x) }})
	}
	return need.BackgroundOf(answers)
}
