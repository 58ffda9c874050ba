package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/catalog"
	"github.com/skillgate/skillgate/gate/enrich"
	"github.com/skillgate/skillgate/gate/findable"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/tune"
	"github.com/skillgate/skillgate/triage"
)

// asked is one prompt of a set, with the skill that it is for and what is known of that.
type asked struct {
	Library, Set, Source, Skill string
	Place                       int // of the best right skill; 0: not among the first
	X                           findable.Features
	Written                     []findable.Request `json:",omitempty"` // for the skill
}

type gradeFlags struct {
	cache, write, written string
	l2                    float64
	without               []string
}

// maxAsked is how many triggers and clauses of a skill are asked for training: as lint does.
const maxAsked = 5

func newTrainGradeCommand() *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:   "grade FOLDER",
		Short: "Train lint's grade on every set of a bench folder, and say how well it predicts",
		Long: `grade estimates for every skill that a prompt of a bench folder is for how surely requests
find it (gate/findable), from the skill's text alone, ranks the prompts, and fits the models of
the estimate. Each source (owner, repository, public set) is predicted by models that saw none of
its prompts. AUC is over prompts: of one that finds its skill first and one that does not, how
often the first has the better estimate. "given" adds what half of a skill's prompts found, as
its author's trigger file would, and predicts the other half; "limit" is the share of a skill's
other prompts that find it first, which no estimate of a skill can do much better than.
--written says what the requests of a file of expansions find and add, for the skills that
have some; they are not indexed.`,
		Example: "  skillgate-dev train grade bench --write gate/findable/weights.txt",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return trainGrade(cmd.Context(), cmd.OutOrStdout(), args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.cache, "samples", "", "keep what was asked in `FILE` and read it from there when it exists")
	flags.StringVar(&f.write, "write", "", "write the weights to `FILE`")
	flags.StringVar(&f.written, "written", "", "requests that a model wrote, as enrich exports them, in `FILE`")
	flags.Float64Var(&f.l2, "l2", 0.1, "penalty on the weights")
	flags.StringSliceVar(&f.without, "without", nil, "`FEATURE`s to leave out")
	return cmd
}

func trainGrade(ctx context.Context, out io.Writer, dir string, f gradeFlags) error {
	all, err := kept(f.cache, func() ([]asked, error) { return askGrades(ctx, dir, f.written) })
	if err != nil {
		return err
	}
	for i := range all {
		for j := range findable.NumFeatures {
			if slices.Contains(f.without, j.String()) {
				all[i].X[j] = 0
			}
		}
	}
	estimates := make([]findable.Estimate, len(all))
	for held := range needFolds {
		m := fitGrade(all, f.l2, func(a asked) bool { return fold(a.Source) != held })
		for i, a := range all {
			if fold(a.Source) == held {
				estimates[i] = m.Of(&findable.Evidence{X: a.X})
			}
		}
	}
	if err := printGrades(out, all, estimates); err != nil {
		return err
	}
	if f.written != "" {
		printWritten(out, all, estimates)
	}
	m := fitGrade(all, f.l2, func(asked) bool { return true })
	text := "# Weights of the two models of findable.Estimate: first, and among the first five, made by\n" +
		fmt.Sprintf("# skillgate-dev train grade BENCH --l2 %g\n", f.l2) + m.String()
	if f.write == "" {
		fmt.Fprint(out, text)
		return nil
	}
	return os.WriteFile(f.write, []byte(text), 0o644)
}

const skillPrompts = 6 // prompts of one skill that count in full; more count no more together

// fitGrade fits the models to the prompts that keep accepts. A set counts as the root of its prompts.
func fitGrade(all []asked, l2 float64, keep func(asked) bool) (m findable.Model) {
	ofSkill, ofSet := map[string]float64{}, map[string]float64{}
	key := func(a asked) string { return a.Library + "\x00" + a.Set }
	for _, a := range all {
		ofSkill[key(a)+a.Skill]++
	}
	weight := func(a asked) float64 { return min(1, skillPrompts/ofSkill[key(a)+a.Skill]) }
	for _, a := range all {
		ofSet[key(a)] += weight(a)
	}
	var x [][]float64
	var w []float64
	var y [2][]float64
	for _, a := range all {
		if keep(a) {
			x, w = append(x, slices.Clone(a.X[:])), append(w, weight(a)/math.Sqrt(ofSet[key(a)]))
			y[0], y[1] = append(y[0], share1(a.Place == 1)), append(y[1], share1(a.Place > 0 && a.Place <= 5))
		}
	}
	for i := range m {
		bias, weights := tune.FitLogistic(x, y[i], w, l2)
		m[i].Bias, m[i].Weights = bias, findable.Features(weights)
	}
	return m
}

// share1 is a label as a share.
func share1(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// askGrades estimates the skills of every set and ranks its prompts.
func askGrades(ctx context.Context, dir, expansions string) ([]asked, error) {
	rooms, err := bench.ReadSuite(dir)
	if err != nil {
		return nil, err
	}
	written := map[string][]string{}
	if expansions != "" {
		list, err := enrich.ReadFile(expansions)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			written[x.ID] = x.Kept()
		}
	}
	var out []asked
	for i := range rooms {
		got, err := askRoomGrades(ctx, &rooms[i], written)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "%s: %d prompts\n", rooms[i].Library, len(got))
		out = append(out, got...)
	}
	return out, nil
}

func askRoomGrades(ctx context.Context, room *bench.Room, written map[string][]string) (out []asked, err error) {
	// before Entries adds the skills' own phrases
	sets := slices.DeleteFunc(slices.Clone(room.Sets), func(s bench.CaseSet) bool {
		return s.Sessions || strings.HasPrefix(s.Name, "Korean skills")
	})
	if len(sets) == 0 {
		return nil, nil
	}
	x, err := indexRoom(ctx, room)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	entries, err := room.Entries()
	if err != nil {
		return nil, err
	}
	byID := map[string]*catalog.Entry{}
	for i := range entries {
		byID[entries[i].ID] = &entries[i]
	}
	r, err := findable.NewRetriever(index.Join(x), x.Dict)
	if err != nil {
		return nil, err
	}
	p := r.Prober()
	known := map[string]findable.Evidence{}
	for _, set := range sets {
		for _, c := range set.Cases {
			at := slices.IndexFunc(c.Right, func(id string) bool { return byID[id] != nil })
			if at < 0 {
				continue
			}
			skill := c.Right[at]
			if _, ok := known[skill]; !ok {
				ev, err := p.Ask(byID[skill], nil, written[skill], maxAsked, nil).Evidence(ctx)
				if err != nil {
					return nil, err
				}
				ev.Requests = slices.DeleteFunc(ev.Requests, func(r findable.Request) bool { return r.Kind != findable.Written })
				known[skill] = ev
			}
			if _, err := p.Search(ctx, triage.Classify(secret.Redact(c.Query)).Text); err != nil {
				return nil, err
			}
			a := asked{Library: room.Library, Set: set.Name, Source: source(set.Name, &c), Skill: skill, X: known[skill].X,
				Written: known[skill].Requests}
			for _, id := range c.Right {
				if doc, ok := r.ByID[id]; ok {
					if place, _ := p.Place(doc); place > 0 && (a.Place == 0 || place < a.Place) {
						a.Place = place
					}
				}
			}
			out = append(out, a)
		}
	}
	return out, nil
}

// printGrades writes how well held-out estimates predict, by set and of all.
func printGrades(out io.Writer, all []asked, estimates []findable.Estimate) error {
	groups := map[string][]int{}
	for i, a := range all {
		for _, name := range []string{a.Set + ", " + a.Library, "all sets"} {
			groups[name] = append(groups[name], i)
		}
	}
	cold := make([]float64, len(all))
	for i, e := range estimates {
		cold[i] = e.First
	}
	given, limit := withGiven(all, estimates)
	tw := app.NewTable("set", "n", "skills", "hit@1", "said", "hit@5", "said", "AUC", "of skills", "given", "limit")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		var hit, said [2]float64
		skills := map[string]bool{}
		at := groups[name]
		for _, i := range at {
			n := float64(len(at))
			hit[0] += share1(all[i].Place == 1) / n
			hit[1] += share1(all[i].Place > 0 && all[i].Place <= 5) / n
			said[0] += estimates[i].First / n
			said[1] += estimates[i].Five / n
			skills[all[i].Library+all[i].Skill] = true
		}
		cell := func(p []float64) string {
			low, high := interval(all, at, p)
			return fmt.Sprintf("%s [%s,%s]", share(aucOf(all, at, p)), share(low), share(high))
		}
		tw.AppendRow(table.Row{name, len(at), len(skills), share(hit[0]), share(said[0]), share(hit[1]), share(said[1]),
			cell(cold), share(skillAUC(all, at, cold)), cell(given), share(aucOf(all, at, limit))})
	}
	letters := app.NewTable("grade", "prompts", "hit@1", "hit@5")
	for _, letter := range findable.Grades {
		var n, first, five float64
		for i, e := range estimates {
			if e.Grade() == letter {
				n++
				first += share1(all[i].Place == 1)
				five += share1(all[i].Place > 0 && all[i].Place <= 5)
			}
		}
		letters.AppendRow(table.Row{letter, n, share(first / n), share(five / n)})
	}
	return errors.Join(app.WriteTable(out, tw), app.WriteTable(out, letters))
}

// printWritten says how often the requests that a model wrote find their skill first, how often
// the prompts for the same skills do, and what they add to the estimates.
func printWritten(out io.Writer, all []asked, estimates []findable.Estimate) {
	var at []int
	var found, asked, prompts float64
	cold, with := make([]float64, len(all)), make([]float64, len(all))
	for i, a := range all {
		if len(a.Written) == 0 {
			continue
		}
		at = append(at, i)
		for _, r := range a.Written {
			asked++
			found += share1(r.Place == 1)
		}
		prompts += share1(a.Place == 1)
		cold[i] = estimates[i].First
		with[i] = estimates[i].With(a.Written).First
	}
	if at == nil {
		return
	}
	low, high := interval(all, at, with)
	fmt.Fprintf(out, "%d prompts for skills with written requests: %s of the requests found their skill first, %s of the "+
		"prompts; AUC %s, with the requests %s [%s,%s]\n", len(at), share(found/asked), share(prompts/float64(len(at))),
		share(aucOf(all, at, cold)), share(aucOf(all, at, with)), share(low), share(high))
}

// withGiven returns estimates that also know what every other of the skill's prompts finds, and
// the share of all its other prompts that find it first.
func withGiven(all []asked, estimates []findable.Estimate) (given, limit []float64) {
	of := map[string][]int{}
	for i, a := range all {
		k := a.Library + "\x00" + a.Set + "\x00" + a.Skill
		of[k] = append(of[k], i)
	}
	given, limit = make([]float64, len(all)), make([]float64, len(all))
	for _, list := range of {
		var n, hits [2]float64 // of those in even and odd places
		for j, i := range list {
			n[j%2]++
			hits[j%2] += share1(all[i].Place == 1)
		}
		for j, i := range list {
			other := 1 - j%2
			given[i] = (findable.PriorWeight*estimates[i].First + hits[other]) / (findable.PriorWeight + n[other])
			limit[i] = (estimates[i].First + hits[0] + hits[1] - share1(all[i].Place == 1)) / (n[0] + n[1])
		}
	}
	return given, limit
}

// aucOf is the AUC of p for coming first, over the prompts at these places.
func aucOf(all []asked, at []int, p []float64) float64 {
	samples, of := make([]tune.Sample, len(at)), make([]float64, len(at))
	for j, i := range at {
		samples[j].Needs, of[j] = all[i].Place == 1, p[i]
	}
	return tune.AUC(samples, of)
}

// skillAUC is how often, of two skills with three prompts or more, the one that is found first
// for more of them has the better estimate.
func skillAUC(all []asked, at []int, p []float64) float64 {
	type skill struct{ n, hits, estimate float64 }
	skills := map[string]*skill{}
	for _, i := range at {
		k := all[i].Library + all[i].Set + all[i].Skill
		if skills[k] == nil {
			skills[k] = &skill{}
		}
		skills[k].n++
		skills[k].hits += share1(all[i].Place == 1)
		skills[k].estimate = p[i]
	}
	var list []*skill
	for _, s := range skills {
		if s.n >= 3 {
			list = append(list, s)
		}
	}
	right, pairs := 0.0, 0.0
	for i, a := range list {
		for _, b := range list[:i] {
			if d := a.hits/a.n - b.hits/b.n; d != 0 {
				pairs++
				right += share1(d*(a.estimate-b.estimate) > 0) + share1(a.estimate == b.estimate)/2
			}
		}
	}
	return right / pairs
}

// interval is the 95 % interval of an AUC, by bootstrap over sources, of a public set over skills.
func interval(all []asked, at []int, p []float64) (low, high float64) {
	by := map[string][]int{}
	for _, i := range at {
		k := all[i].Source
		if strings.HasPrefix(k, "public:") {
			k += all[i].Skill
		}
		by[k] = append(by[k], i)
	}
	keys := slices.Sorted(maps.Keys(by))
	rng := rand.New(rand.NewPCG(1, 2))
	var got []float64
	for range 300 {
		var some []int
		for range keys {
			some = append(some, by[keys[rng.IntN(len(keys))]]...)
		}
		if v := aucOf(all, some, p); !math.IsNaN(v) {
			got = append(got, v)
		}
	}
	if got == nil {
		return math.NaN(), math.NaN()
	}
	slices.Sort(got)
	return got[len(got)/40], got[len(got)-1-len(got)/40]
}
