package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/golden"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/index/zapfile"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

// goldenHead stands on top of both golden files.
const goldenHead = "# written by: go test ./gate/bench -run Golden -update; read the diff before committing it\n"

var testdata = filepath.Join("..", "..", "testdata")

// goldenGate is the gate with its own settings over testdata/library and
// testdata/agents, and the number of skills and agents.
func goldenGate(t testing.TB) (*gate.Gate, int) {
	t.Helper()
	library, err := filepath.Abs(filepath.Join(testdata, "library"))
	if err != nil {
		t.Fatal(err)
	}
	roots := []catalog.Root{
		catalog.LibraryRoot(library),
		{Path: filepath.Join(filepath.Dir(library), "agents"), Source: catalog.Personal, Pool: catalog.Agent, Label: "agents"},
	}
	dir := t.TempDir()
	sum, err := index.Build(t.Context(), index.Options{Postings: zapfile.Write[index.Freq], Background: gate.Background,
		Dir: dir, Scope: "golden", Roots: roots, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	g := gate.OpenIndexes(gate.Default(), []string{"golden"}, x)
	t.Cleanup(func() { g.Close() })
	return g, sum.Skills
}

// goldenRouter asks a gate as the hook does.
type goldenRouter struct {
	ctx  context.Context
	gate *gate.Gate
}

func (r goldenRouter) Decide(prompt string, k int) gate.Decision {
	return r.gate.Decide(r.ctx, gate.Request{Prompt: triage.Classify(secret.Redact(prompt)), K: k})
}

// The small library's rankings and their sums are files that people read when
// ranking changes: which prompts got better, which worse.
func TestGolden(t *testing.T) {
	set, err := ReadPromptFile(filepath.Join(testdata, "golden", "prompts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	g, skills := goldenGate(t)
	outcomes, err := Run(t.Context(), goldenRouter{t.Context(), g}, set, nil, Options{K: 20})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join(testdata, "golden", "rankings.txt"), []byte(goldenRankings(outcomes)))
	golden.Check(t, filepath.Join(testdata, "golden", "summary.txt"), []byte(goldenSummary(outcomes, skills)))
}

// goldenRankings tells of every prompt where its right skills stand, which skill
// is first and which are named to the model.
func goldenRankings(outcomes []Outcome) string {
	var b strings.Builder
	b.WriteString(goldenHead)
	b.WriteString("# places of the labelled skills (0: not among the first 20), the first skill, and those named to the model, with their steps\n")
	for _, o := range outcomes {
		verdict := string(o.Verdict)
		if o.Reason != "" {
			verdict += " " + string(o.Reason)
		}
		fmt.Fprintf(&b, "\n%s %s %s: %s\n  %q\n", o.ID, o.Lang, o.Task, verdict, o.Query)
		for _, l := range o.Labels {
			fmt.Fprintf(&b, "  %s %s: %d\n", l.As, l.ID, l.Rank)
		}
		if len(o.Ranked) > 0 {
			fmt.Fprintf(&b, "  first: %s\n", o.Ranked[0].ID)
		}
		for _, p := range o.Ranked {
			if !p.Injected {
				continue
			}
			step := ""
			if p.Step > 0 {
				step = fmt.Sprintf(" (step %d)", p.Step)
			}
			fmt.Fprintf(&b, "  named: %s%s\n", p.ID, step)
		}
	}
	return b.String()
}

func goldenSummary(outcomes []Outcome, skills int) string {
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
					if v, ok := o.Values[goldenMeasure(c)]; ok {
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
					text = fmt.Sprintf("%.3f", rate(values[c]).Mean)
				}
				fmt.Fprintf(&b, "  %*s", len(c), text)
			}
			b.WriteByte('\n')
		}
	}
	table("single", Search, "recall@1", "recall@5", "MRR", injected, gatedHit)
	table("composite", Composite, "coverage@5", "coverage@8", injected)
	table("boundary", Boundary, "hit@1", boundaryRight)
	table("gate", Gate, skipped, chatInjected, nativeInjected, wronglySkipped)
	return b.String()
}

// goldenMeasure is the package's name of a column. A prompt of this set has one
// right skill, perhaps with copies: recall is a hit.
func goldenMeasure(column string) string {
	if k, ok := strings.CutPrefix(column, "recall@"); ok {
		return "hit@" + k
	}
	return column
}
