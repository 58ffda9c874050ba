package bench

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/golden"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

const goldenHead = "# written by: go test ./gate/bench -run Golden -update; read the diff before committing it\n"

var testdata = filepath.Join("..", "..", "testdata")

// goldenGate returns a gate with default settings over testdata/library and
// testdata/agents, and the number of skills and agents.
func goldenGate(t testing.TB) (*gate.Gate, int) {
	t.Helper()
	library, err := filepath.Abs(filepath.Join(testdata, "library"))
	must(t, err)
	roots := []catalog.Root{
		catalog.LibraryRoot(library),
		{Path: filepath.Join(filepath.Dir(library), "agents"), Source: catalog.Personal, Pool: catalog.Agent, Label: "agents"},
	}
	dir := t.TempDir()
	sum, err := index.Build(t.Context(), index.Options{Background: gate.Background,
		Dir: dir, Scope: "golden", Roots: roots, Now: time.Now})
	must(t, err)
	x, err := index.Open(dir)
	must(t, err)
	g := gate.OpenIndexes(gate.Default(), []string{"golden"}, x)
	t.Cleanup(func() { g.Close() })
	return g, sum.Skills
}

type routed struct {
	Prompt
	d      gate.Decision
	ranked []string
	values map[string]float64
}

// The rankings of the small library and their sums are files, so that a change of ranking shows
// which prompts got better and which worse.
func TestGolden(t *testing.T) {
	set, err := ReadPromptFile(filepath.Join(testdata, "golden", "prompts.jsonl"))
	must(t, err)
	g, skills := goldenGate(t)
	var outcomes []routed
	for _, p := range set.Prompts {
		d := g.Decide(t.Context(), gate.Request{Prompt: triage.Classify(secret.Redact(p.Query)), K: DefaultK})
		d.Candidates = d.Candidates[:min(DefaultK, len(d.Candidates))]
		outcomes = append(outcomes, routed{p, d, ids(d.Candidates), measure(&p, &d, DefaultK)})
	}
	golden.Check(t, filepath.Join(testdata, "golden", "rankings.txt"), []byte(goldenRankings(outcomes)))
	golden.Check(t, filepath.Join(testdata, "golden", "summary.txt"), []byte(goldenSummary(outcomes, skills)))
}

func goldenRankings(outcomes []routed) string {
	var b strings.Builder
	b.WriteString(goldenHead)
	b.WriteString("# places of the labelled skills (0: not among the first 20), the first skill, and those named to the model, with their steps\n")
	for _, o := range outcomes {
		verdict := string(o.d.Verdict)
		if o.d.Reason != "" {
			verdict += " " + string(o.d.Reason)
		}
		fmt.Fprintf(&b, "\n%s %s %s: %s\n  %q\n", o.ID, o.Lang, o.Task, verdict, o.Query)
		seen := map[string]bool{}
		labels := func(as string, ids ...string) {
			for _, id := range ids {
				if id != "" && !seen[id] {
					seen[id] = true
					fmt.Fprintf(&b, "  %s %s: %d\n", as, id, rankOf(o.ranked, id))
				}
			}
		}
		for i, step := range o.Steps {
			labels(fmt.Sprintf("step %d", i+1), step...)
		}
		labels("gold", o.Gold...)
		labels("also_ok", o.AlsoOK...)
		labels("not_above", o.NotAbove)
		if len(o.ranked) > 0 {
			fmt.Fprintf(&b, "  first: %s\n", o.ranked[0])
		}
		for _, c := range o.d.Candidates {
			if !c.Injected {
				continue
			}
			step := ""
			if c.Step > 0 {
				step = fmt.Sprintf(" (step %d)", c.Step)
			}
			fmt.Fprintf(&b, "  named: %s%s\n", c.ID, step)
		}
	}
	return b.String()
}

func goldenSummary(outcomes []routed, skills int) string {
	var b strings.Builder
	b.WriteString(goldenHead)
	fmt.Fprintf(&b, "%d prompts over %d skills and agents\n", len(outcomes), skills)
	table := func(title string, task Task, columns ...string) {
		fmt.Fprintf(&b, "\n%-12s prompts", title)
		for _, c := range columns {
			fmt.Fprintf(&b, "  %s", c)
		}
		b.WriteByte('\n')
		for _, lang := range []string{"", "ko", "mixed", "en"} {
			values := map[string][]float64{}
			n := 0
			for _, o := range outcomes {
				if o.Task != task || lang != "" && o.Lang != lang {
					continue
				}
				n++
				for _, c := range columns {
					if v, ok := o.value(c); ok {
						values[c] = append(values[c], v)
					}
				}
			}
			if n == 0 {
				continue
			}
			name := lang
			if lang == "" {
				name = "all"
			}
			fmt.Fprintf(&b, "%-12s %7d", name, n)
			for _, c := range columns {
				text := "-"
				if len(values[c]) > 0 {
					text = fmt.Sprintf("%.3f", mean(values[c]))
				}
				fmt.Fprintf(&b, "  %*s", len(c), text)
			}
			b.WriteByte('\n')
		}
	}
	table("single", Search, "recall@1", "recall@5", "MRR", "injected", "gated hit")
	table("composite", Composite, "coverage@5", "coverage@8", "injected")
	table("boundary", Boundary, "hit@1", boundaryRight)
	table("gate", Gate, skipped, "chat injected", "native injected", wronglySkipped)
	return b.String()
}

// value returns the value of a column for a prompt. Prompts of this set have one
// right skill, perhaps with copies, so recall equals the hit rate.
func (o *routed) value(column string) (float64, bool) {
	native := o.Kind == kindNative
	name, ok := map[string]string{"recall@1": hit1, "recall@5": hit5, "injected": spoken, "gated hit": rightShown,
		"chat injected": spoken, "native injected": spoken}[column]
	if !ok {
		name = column
	}
	v, ok := o.values[name]
	return v, ok && (column != "chat injected" || !native) && (column != "native injected" || native)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
