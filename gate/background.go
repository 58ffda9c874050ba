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

// backgroundText is turns as people type them while they build something of their own,
// one a line, that no skill is for.
//
//go:embed background.txt
var backgroundText string

// backgroundMemory is how much of an index's postings is kept while it answers these turns, in bytes.
const backgroundMemory = 64 << 20

// Background returns how an index answers prompts that have nothing to do with it, a
// need.Background, for index.Options. Where backgroundText or a feature's meaning changes,
// the index's Format does as well.
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
