package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
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
	"github.com/skillgate/skillgate/gate/lint"
	"github.com/skillgate/skillgate/gate/lint/job"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/triage"
)

// proposal is a description of one skill by somebody who had not seen its prompts, and requests for it that were
// written without the description in view.
type proposal struct {
	ID          string   `json:"id"`
	Description string   `json:"description"`
	Requests    []string `json:"requests"`
}

const (
	fewestPrompts    = 4 // of a skill, for it to be called badly found
	suggestedLibrary = "library-en+triggers"
)

func newSuggestCommand() *cobra.Command {
	var most int
	cmd := &cobra.Command{
		Use:   "suggest FOLDER [FILE]",
		Short: "Measure descriptions that were proposed for the worst found skills of a bench folder",
		Long: `suggest takes the skills of the trigger files, among library-en, whose prompts find them among
the first five least often. Without FILE it prints what "lint suggest" would tell a model of each,
a JSON object a line, and none of their prompts. FILE has a {"id","description","requests"} object a
line: the descriptions are put in the place of the skills' own, and the prompts are asked before and
after. "kept" are those that "lint suggest" would keep, judged by the requests alone. Other prompts
are those of the other skills, and the English development and people's sets.`,
		Example: "  skillgate-dev suggest bench > told.jsonl\n  skillgate-dev suggest bench proposed.jsonl",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := newTrial(cmd.Context(), args[0], most)
			if err != nil {
				return err
			}
			defer t.base.Close()
			if len(args) == 1 {
				return t.tell(cmd.Context(), cmd.OutOrStdout())
			}
			list, err := readProposals(args[1])
			if err != nil {
				return err
			}
			return t.measure(cmd.Context(), cmd.OutOrStdout(), list)
		},
	}
	cmd.PersistentFlags().IntVar(&most, "skills", 40, "how many skills")
	cmd.AddCommand(&cobra.Command{
		Use:     "explain FOLDER",
		Short:   `Measure what "lint explain" proposes for the same skills`,
		Example: "  skillgate-dev suggest explain bench",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := newTrial(cmd.Context(), args[0], most)
			if err != nil {
				return err
			}
			defer t.base.Close()
			list, err := t.explained(cmd.Context())
			if err != nil {
				return err
			}
			return t.measure(cmd.Context(), cmd.OutOrStdout(), list)
		},
	})
	return cmd
}

func readProposals(file string) (out []proposal, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	for dec.More() {
		var p proposal
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// trial is the skills that are found badly among all others, with the prompts that are asked.
type trial struct {
	room    *bench.Room
	base    *index.Index
	r       *findable.Retriever
	l       *lint.Library
	entries map[string]*catalog.Entry
	cases   []bench.Case
	before  []int // place of the right skill, by case
	worst   []string
}

func newTrial(ctx context.Context, dir string, most int) (*trial, error) {
	rooms, err := bench.ReadSuite(dir)
	if err != nil {
		return nil, err
	}
	t := &trial{entries: map[string]*catalog.Entry{}}
	own := 0
	for i := range rooms {
		room := &rooms[i]
		for _, set := range room.Sets {
			switch {
			case room.Library == suggestedLibrary && set.Name == "triggers":
				t.room = room
				t.cases = slices.Concat(bench.Only(bench.Skill, set.Cases), t.cases)
				own = len(bench.Only(bench.Skill, set.Cases))
			case room.Library == "library-en" && !set.Sessions:
				t.cases = append(t.cases, bench.Only(bench.Skill, set.Cases)...)
			}
		}
	}
	if t.room == nil {
		return nil, fmt.Errorf("%s: no trigger files", dir)
	}
	if t.base, err = indexRoom(ctx, t.room); err != nil {
		return nil, err
	}
	all, err := t.room.Entries()
	if err != nil {
		return nil, err
	}
	for i := range all {
		t.entries[all[i].ID] = &all[i]
	}
	t.l = lint.NewLibrary(lint.FromEntries(all), []string{"en"})
	if t.r, err = findable.NewRetriever(index.Join(t.base), t.base.Dict); err != nil {
		return nil, err
	}
	if t.before, err = t.ask(ctx, t.r); err != nil {
		return nil, err
	}
	t.worst = t.worstFound(own, most)
	return t, nil
}

// ask returns the place of the right skill for every case, findable.Depth+1 beyond.
func (t *trial) ask(ctx context.Context, r *findable.Retriever) ([]int, error) {
	p := r.Prober()
	out := make([]int, len(t.cases))
	for i, c := range t.cases {
		if _, err := p.Search(ctx, triage.Classify(secret.Redact(c.Query)).Text); err != nil {
			return nil, err
		}
		out[i] = findable.Depth + 1
		for _, id := range c.Right {
			if doc, ok := r.ByID[id]; ok {
				if place, _ := p.Place(doc); place > 0 {
					out[i] = min(out[i], place)
				}
			}
		}
	}
	return out, nil
}

// worstFound lists the skills of the first so many cases whose prompts find them among the first five least often.
func (t *trial) worstFound(own, most int) []string {
	found, asked := map[string]float64{}, map[string]float64{}
	for i, c := range t.cases[:own] {
		id := c.Right[0]
		asked[id]++
		found[id] += share1(t.before[i] <= 5)
	}
	list := slices.Sorted(maps.Keys(asked))
	list = slices.DeleteFunc(list, func(id string) bool { return asked[id] < fewestPrompts || t.entries[id] == nil })
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(found[a]/asked[a], found[b]/asked[b]) })
	return list[:min(len(list), most)]
}

func (t *trial) skill(id string) *lint.Skill {
	return t.l.Skills[slices.IndexFunc(t.l.Skills, func(s *lint.Skill) bool { return s.ID == id })]
}

// tell writes what a model would be told of the worst found skills.
func (t *trial) tell(ctx context.Context, out io.Writer) error {
	enc := json.NewEncoder(out)
	for _, id := range t.worst {
		told, err := job.Told(ctx, t.l, t.r, t.skill(id))
		if err != nil {
			return err
		}
		if err := enc.Encode(told); err != nil {
			return err
		}
	}
	return nil
}

// explained are the proposals of lint explain: phrases of the body behind the description.
func (t *trial) explained(ctx context.Context) (out []proposal, err error) {
	only := map[string]bool{}
	for _, id := range t.worst {
		only[id] = true
	}
	if t.l.Measured, err = lint.Measure(ctx, t.l, t.r, only, false, nil); err != nil {
		return nil, err
	}
	for _, id := range t.worst {
		s := t.skill(id)
		a, err := lint.Advise(ctx, t.l, t.r, s)
		if err != nil {
			return nil, err
		}
		if len(a.Add) > 0 {
			out = append(out, proposal{ID: id,
				Description: s.Description + ` Use when the user says "` + strings.Join(a.Add, `", "`) + `".`})
		}
	}
	return out, nil
}

// with is the retriever where the skills of some proposals say what is proposed.
func (t *trial) with(ctx context.Context, list []proposal) (*findable.Retriever, error) {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	var ids []string
	for _, p := range list {
		e := t.entries[p.ID]
		front := e.Frontmatter
		if front != "" {
			var err error
			if front, err = enrich.WithDescription(front, front, p.Description); err != nil {
				return nil, fmt.Errorf("%s: %w", p.ID, err)
			}
		}
		line := map[string]string{"id": e.ID, "name": e.Name, "description": p.Description, "frontmatter": front,
			"body": e.Body}
		if err := enc.Encode(line); err != nil {
			return nil, err
		}
		ids = append(ids, p.ID)
	}
	changed, err := catalog.ReadJSONL(&lines, "proposals")
	if err != nil {
		return nil, err
	}
	base, err := indexRoom(ctx, t.room)
	if err != nil {
		return nil, err
	}
	if err := base.Hide(ids...); err != nil {
		return nil, err
	}
	over, err := index.Memory(ctx, changed, base.Dict, nil)
	if err != nil {
		return nil, err
	}
	return findable.NewRetriever(index.Join(base, over), base.Dict)
}

// measure asks all prompts again with all proposals, and with those that are kept.
func (t *trial) measure(ctx context.Context, out io.Writer, list []proposal) error {
	list = slices.DeleteFunc(list, func(p proposal) bool { return !slices.Contains(t.worst, p.ID) })
	if len(list) == 0 {
		return fmt.Errorf("no proposal is for one of the %d skills", len(t.worst))
	}
	var kept []proposal
	refused := map[string]int{}
	for _, p := range list {
		r, err := t.with(ctx, []proposal{p})
		if err != nil {
			return err
		}
		x, err := lint.Suggest(ctx, t.l, t.r, t.skill(p.ID), p.Description, p.Requests)
		if err != nil {
			return err
		}
		if err := x.Judge(ctx, r); err != nil {
			return err
		}
		if x.Kept {
			kept = append(kept, p)
		} else {
			refused[x.Refused]++
		}
	}
	tw := app.NewTable("descriptions", "skills", "prompts", "hit@1", "after", "hit@5", "after", "other prompts",
		"first lost", "gained", "five lost", "gained")
	for _, one := range []struct {
		name string
		list []proposal
	}{{"all", list}, {"kept", kept}} {
		if len(one.list) == 0 {
			continue
		}
		r, err := t.with(ctx, one.list)
		if err != nil {
			return err
		}
		row, err := t.row(ctx, r, one.list)
		if err != nil {
			return err
		}
		tw.AppendRow(append(table.Row{one.name}, row...))
	}
	err := app.WriteTable(out, tw)
	for _, why := range slices.Sorted(maps.Keys(refused)) {
		fmt.Fprintf(out, "not kept, %d: %s\n", refused[why], why)
	}
	return err
}

// row is what the prompts find in r: those of the worst found skills, and all others.
func (t *trial) row(ctx context.Context, r *findable.Retriever, list []proposal) (table.Row, error) {
	after, err := t.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	var n, others, lost, gained, lostFive, gainedFive int
	var first, five [2]float64
	for i, c := range t.cases {
		was, is := t.before[i], after[i]
		if slices.ContainsFunc(c.Right, func(id string) bool { return slices.Contains(t.worst, id) }) {
			n++
			first[0], first[1] = first[0]+share1(was == 1), first[1]+share1(is == 1)
			five[0], five[1] = five[0]+share1(was <= 5), five[1]+share1(is <= 5)
			continue
		}
		others++
		count := func(lost, gained *int, was, is bool) {
			if was && !is {
				*lost++
			} else if is && !was {
				*gained++
			}
		}
		count(&lost, &gained, was == 1, is == 1)
		count(&lostFive, &gainedFive, was <= 5, is <= 5)
	}
	of := func(v float64) string { return share(v / float64(n)) }
	return table.Row{len(list), n, of(first[0]), of(first[1]), of(five[0]), of(five[1]), others, lost, gained, lostFive,
		gainedFive}, nil
}
