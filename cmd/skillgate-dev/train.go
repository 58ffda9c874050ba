package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/need"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/gate/tune"
	"github.com/skillgate/skillgate/triage"
)

type trainFlags struct {
	cache string
	write string
	folds string
	share float64
	drop  []string
}

const needFolds = 10

func newTrainCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train FOLDER",
		Short: "Train the model that decides whether a prompt needs a skill (gate/need)",
		Long: `train runs every prompt of a bench folder on the prompt's library. It also runs prompts of real users and
prompts of other sets on libraries without skills for them. It fits the need model (gate/need) to
the results. Folds are by source: the prompts of a user, the triggers of a repository and
a whole public set are measured by models that were not trained on them.`,
		Example: "  skillgate-dev train bench --write gate/need/model.bin",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return trainNeed(cmd.Context(), args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.cache, "samples", "", "cache the samples in `FILE` and reuse them if the file exists")
	flags.StringVar(&f.write, "write", "", "write the model to `FILE`")
	flags.StringVar(&f.folds, "folds", "", "write the model of each fold to `FOLDER` (see table --folds)")
	flags.Float64Var(&f.share, "share", 0.10,
		"use the threshold that this `SHARE` of real users' prompts that need no skill reaches")
	flags.StringSliceVar(&f.drop, "without", nil, "leave out this `FEATURE` (for ablations); may be repeated")
	cmd.AddCommand(newMeaningCommand())
	return cmd
}

// L2 penalties.
const (
	featurePenalty = 0.005
	textPenalty    = 0.0003 // for the weights of n-grams
)

//go:embed requests.txt
var requestFile string

func fold(source string) int {
	h := fnv.New32a()
	h.Write([]byte(source))
	return int(h.Sum32()>>8) % needFolds
}

func source(set string, c *bench.Case) string {
	if strings.HasPrefix(set, "public:") {
		return set
	}
	if c.Source == "ShishirPatil" { // the author of this public set
		return "public: bfcl-multiple"
	}
	return c.Source
}

func genre(set string) string {
	switch {
	case strings.Contains(set, "people"), strings.Contains(set, "sessions"), strings.Contains(set, "turns"),
		strings.Contains(set, "Japanese"):
		return "people"
	case strings.Contains(set, "dev:"):
		return "dev"
	}
	return set
}

// weight holds the total weights of all samples of one set and label: text in the n-gram model, joint in the final one.
type weight struct{ text, joint float64 }

// weights maps a set and label to its weight. In large libraries (ko, en) requests and other prompts have
// about the same weight. In libraries for one domain requests have twice the weight, because there most
// prompts are requests. Sets that are not listed have weight 0.
var weights = map[string]weight{
	"library-ko, people: requests, requests": {0.62, 0.6}, "library-ko, people: native, nothing": {0.7, 0.5},
	"library-ko, sessions: unlabelled, requests": {0.5, 0}, "library-ko, sessions: unlabelled, nothing": {0.3, 0.3},
	"library-ko, dev: library-ko, requests": {0.5, 0.8}, "library-ko, dev: gate, nothing": {0.3, 0.3},
	"library-ko, quoted phrases, requests": {0, 0.1},

	"library-en, people: requests, requests": {0.38, 0.3}, "library-en, people: native, nothing": {0, 0.5},
	"library-en, dev: library-en, requests":              {0.04, 0.1},
	"library-en+triggers, triggers, requests":            {0, 0.25},
	"library-en+triggers, quoted phrases, requests":      {0, 0.05},
	"library-en+skillsbench, dev: SkillsBench, requests": {0.01, 0.08},

	"azure, public: azure, requests": {0, 0.21}, "gtm, public: gtm, requests": {0, 0.21},
	"hometax, public: hometax, requests": {0, 0.4}, "metarouter, public: metarouter, requests": {0, 0.21},
	"lazy, public: lazy, requests": {0.02, 0.21}, "lazy, public: lazy, nothing": {0.02, 0.15},
	"mhingston, public: mhingston, requests": {0.02, 0.21}, "mhingston, public: mhingston, nothing": {0.02, 0.15},
	"omh, public: omh, requests": {0.04, 0.21}, "omh, public: omh, nothing": {0.04, 0.3},
	"svelte, public: svelte, requests": {0.01, 0.4}, "svelte, public: svelte, nothing": {0.01, 0.03},
	"functionchat, public: functionchat, requests": {0, 0.07},

	"library-ko, strangers: turns, requests": {0.1, 0.1}, "library-ko, strangers: turns, nothing": {0.1, 0.1},

	"of one owner, Chinese and Japanese: learn, requests":   {0.03, 0.06},
	"of one owner, Chinese and Japanese: learn, nothing":    {0.06, 0.05},
	"library-en+cjk, Chinese and Japanese: learn, requests": {0, 0.2},
	"library-en+cjk, Chinese and Japanese: learn, nothing":  {0, 0.06},

	"one domain, people: native, nothing": {0, 0.25}, "one domain, another's requests, nothing": {0, 0.2},
}

// ownerPrompts limits the total weight of the prompts of one owner.
const ownerPrompts = 40

func weigh(samples []tune.Sample) {
	of := map[string]float64{}
	total := map[string]float64{}
	for _, s := range samples {
		of[key(s)+s.Source]++
	}
	for i := range samples {
		s := &samples[i]
		s.Weight = 1
		if !strings.Contains(s.Set, "public") {
			s.Weight = min(1, ownerPrompts/of[key(*s)+s.Source])
		}
		s.TextWeight = s.Weight
		if s.Needs && !s.Shown {
			s.Weight = 0 // the right skill is not found, so both a suggestion and silence would be wrong
		}
		total[key(*s)] += s.Weight
		total["text "+key(*s)] += s.TextWeight
	}
	for i := range samples {
		s := &samples[i]
		w := weights[key(*s)]
		if s.Weight > 0 {
			s.Weight *= w.joint / total[key(*s)]
		}
		s.TextWeight *= w.text / total["text "+key(*s)]
	}
}

func key(s tune.Sample) string {
	if s.Needs {
		return s.Set + ", requests"
	}
	return s.Set + ", nothing"
}

func trainNeed(ctx context.Context, dir string, f trainFlags) error {
	samples, err := kept(f.cache, func() ([]tune.Sample, error) { return askAll(ctx, dir) })
	if err != nil {
		return err
	}
	weigh(samples)
	use := func(x need.Feature) bool { return !slices.Contains(f.drop, x.String()) }
	p, models := tune.CrossValidate(samples, needFolds, featurePenalty, textPenalty, use)
	printTraining(samples, p, f.share)
	if f.folds != "" {
		if err := os.MkdirAll(f.folds, 0o755); err != nil {
			return err
		}
		for i, m := range models {
			if err := os.WriteFile(filepath.Join(f.folds, fmt.Sprintf("%d.bin", i)), m.Packed().Bytes(), 0o600); err != nil {
				return err
			}
		}
	}
	m := tune.FitNeed(samples, models, featurePenalty, textPenalty, use)
	for i, w := range m.Weights {
		fmt.Printf("%-16s %8.3f\n", need.Feature(i), w)
	}
	fmt.Printf("%-16s %8.3f\n%-16s %8d\n", "bias", m.Bias, "n-grams", len(m.Text.Table))
	if f.write != "" {
		return os.WriteFile(f.write, m.Packed().Bytes(), 0o644)
	}
	return nil
}

// kept returns the values in file. If it does not exist, kept calls ask and writes the values to file.
func kept[T any](file string, ask func() ([]T, error)) (all []T, err error) {
	if file == "" {
		return ask()
	}
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return all, nil
	}
	if all, err = ask(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	return all, os.WriteFile(file, text, 0o600)
}

func askAll(ctx context.Context, dir string) ([]tune.Sample, error) {
	rooms, err := bench.ReadSuite(dir)
	if err != nil {
		return nil, err
	}
	requests := map[string]bool{}
	for line := range strings.Lines(requestFile) {
		requests[strings.TrimSpace(line)] = true
	}
	settings := gate.Default()
	settings.NeedMin, settings.ScoreMin = 0, 0
	var samples []tune.Sample
	var people []bench.Case
	foreign := map[string][]bench.Case{} // prompts by public set
	for _, r := range rooms {
		for _, s := range r.Sets {
			if r.Library == "library-ko" && s.Name == "people: native" {
				people = s.Cases
			}
			if apart[r.Library] {
				foreign[r.Library] = append(foreign[r.Library], bench.Only(bench.Skill, s.Cases)...)
			}
		}
	}
	for i := range rooms {
		room := &rooms[i]
		g, err := openRoom(ctx, room, settings)
		if err != nil {
			return nil, err
		}
		g.Need = need.New(nil, 0, need.Features{}, 0) // an empty model, because the one in gate/need may have other features
		for _, set := range room.Sets {
			for _, c := range set.Cases {
				switch {
				case set.Name == "sessions: labelled":
					continue // these cases also occur in the sets of real users' prompts
				case set.Name != "sessions: unlabelled":
				case requests[c.ID]:
					c.Need, c.Right = bench.Skill, nil
				default:
					c.Need = bench.Nothing // true of nearly all these prompts
				}
				if c.Need == bench.Unclear || c.Need == bench.Skill && len(c.Right) == 0 && !requests[c.ID] {
					continue
				}
				c.Source = source(set.Name, &c)
				if s, ok := sample(ctx, g, room.Library+", "+set.Name, c); ok {
					samples = append(samples, s)
				}
			}
		}
		if strings.HasPrefix(room.Sets[0].Name, "public:") &&
			!slices.Contains([]string{"functionchat", "metatool", "bfcl-multiple"}, room.Library) {
			for _, c := range people {
				if s, ok := sample(ctx, g, "one domain, people: native", c); ok {
					samples = append(samples, s)
				}
			}
		}
		if apart[room.Library] {
			for _, name := range slices.Sorted(maps.Keys(foreign)) {
				cases := foreign[name]
				if name == room.Library {
					continue
				}
				for j, c := range cases {
					if j%max(1, len(cases)/40) != 0 {
						continue
					}
					c.Source, c.Need = "public: "+name, bench.Nothing
					if s, ok := sample(ctx, g, "one domain, another's requests", c); ok {
						samples = append(samples, s)
					}
				}
			}
		}
		fmt.Fprintf(os.Stderr, "%s: %d samples\n", room.Library, len(samples))
		g.Close()
	}
	slices.SortStableFunc(samples, func(a, b tune.Sample) int {
		return strings.Compare(a.Set+"\x00"+a.ID, b.Set+"\x00"+b.ID)
	})
	return samples, nil
}

// apart contains public sets whose libraries have no skills for each other's requests.
var apart = map[string]bool{"azure": true, "gtm": true, "hometax": true, "svelte": true}

func sample(ctx context.Context, g *gate.Gate, set string, c bench.Case) (s tune.Sample, ok bool) {
	prompt := triage.Classify(secret.Redact(c.Query))
	if prompt.Kind != triage.Search {
		return s, false
	}
	s = tune.Sample{Set: set, ID: c.ID, Source: c.Source, Genre: genre(set), Text: prompt.Text,
		Needs: c.Need == bench.Skill, Fold: fold(c.Source)}
	d := g.Decide(ctx, gate.Request{Prompt: prompt, NoContext: true, Observe: func(x need.Features) { s.X, ok = x, true }})
	for _, candidate := range d.Candidates {
		s.Shown = s.Shown || candidate.Injected && slices.Contains(c.Right, candidate.ID)
	}
	return s, ok
}

func printTraining(samples []tune.Sample, p []float64, share float64) {
	people := func(s tune.Sample) bool { return strings.HasPrefix(s.Set, "library-ko, people:") }
	var some []tune.Sample
	var of []float64
	for i, s := range samples {
		if people(s) {
			some, of = append(some, s), append(of, p[i])
		}
	}
	threshold := tune.Threshold(some, of, share)
	fmt.Printf("real users' prompts in library-ko: AUC %.3f; threshold for a share of %.2f: %.4f, for 0.05: %.4f\n",
		tune.AUC(some, of), share, threshold, tune.Threshold(some, of, 0.05))
	type sum struct{ n, passed, shown, could float64 }
	sums := map[string]*sum{}
	for i, s := range samples {
		name := key(s)
		if sums[name] == nil {
			sums[name] = &sum{}
		}
		c := sums[name]
		c.n++
		if s.Shown {
			c.could++
		}
		if p[i] >= threshold {
			c.passed++
			if s.Shown {
				c.shown++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		c := sums[name]
		fmt.Printf("%-60s %5.0f  answered %.3f", name, c.n, c.passed/c.n)
		if strings.HasSuffix(name, "requests") {
			fmt.Printf("  right skill shown %.3f, without threshold %.3f", c.shown/c.n, c.could/c.n)
		}
		fmt.Println()
	}
}
