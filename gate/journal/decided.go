package journal

import (
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
)

// Decided is the record of a decision that skillgate of a version made at a time, without
// who asked for it. g is what decided, nil where no index was read.
func Decided(at time.Time, version string, d gate.Decision, g *gate.Gate, s gate.Settings) Record {
	r := New(KindDecision, at)
	r.Skillgate, r.Analyzer = version, index.AnalyzerVersion
	r.Settings = s.Fingerprint()
	var terms []string
	if g != nil && keepsTerms(s.Log.Prompts, d.Prompt) {
		terms = g.Terms(d.Prompt)
	}
	if g != nil {
		r.Policy = g.PolicyID()
	}
	r.SetDecision(d, s.Log.Prompts, terms)
	return r
}
