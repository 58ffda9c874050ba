package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/neutral"
	"github.com/skillgate/skillgate/gate/tune"
)

type ordersFlags struct {
	ordinary   []string
	write      string
	held, list bool
	weight     float64
}

func newOrdersCommand(a *app.App) *cobra.Command {
	var f ordersFlags
	cmd := &cobra.Command{
		Use:   "orders FILE...",
		Short: "Measure and train the filter for texts that give a model orders (gate/neutral)",
		Long: `orders reads sentences that give a model orders, one on each line, after lines such as "[en]"
that name their language. It also reads ordinary texts: the descriptions of a library (JSON Lines,
compressed or not) or one sentence on each line. It prints how many of each the filter leaves out. With
--held each text is judged by a model that has seen neither its file nor its author; with --write
a model trained on all texts is written.

gate/neutral/orders.model was trained on the files of gate/neutral/testdata except held.txt and
held-ordinary.txt (paraphrases21.txt three times, paraphrases22.txt and paraphrases23.txt four times,
the ordinary files sixteen times); on the libraries of the bench and sentences of their skills' bodies
(eight per skill in English, at most 31,000; sixteen per skill in Korean, at most 10,000); on 3,000 sentences each
of the translations of react.dev into Korean, Japanese, Chinese, Spanish, French, Portuguese and Russian
and 178 of the German one (CC BY 4.0); and, twice, on the descriptions of 14,443 skills and 30,000
sentences of their bodies, four to six per skill:
gabrielmoreira/agent-skills-mirror, HoangNguyen0403/agent-skills-standard, NomaDamas/k-skill,
inchan/cc-plugins, kouko/monkey-skills, kys061/kr-stock-skills, mohitagw15856/pm-claude-skills,
newkayak12/claude-skills, simota/agent-skills, takusaotome/claude-skills-library,
thcjp/hermes-skills, y-nishizaki/skills, zuoguyoupan2023/awesome-ai-skills and
ahang1598/doubao-workbuddy-qwenwork-skills. Sentences of bodies that the previous model took for
orders were left out. An order counted as much as 80 ordinary sentences.`,
		Example: `  skillgate-dev orders gate/neutral/testdata/held.txt \
      --ordinary bench/library-en.jsonl.gz,bench/library-ko.jsonl.gz
  skillgate-dev orders gate/neutral/testdata/{orders,blind,blind2,paraphrases*}.txt \
      --ordinary LIBRARIES,DOCS --held --write gate/neutral/orders.model`,
		RunE: func(_ *cobra.Command, files []string) error {
			var texts []orderText
			for i, file := range append(slices.Clone(files), f.ordinary...) {
				more, err := readOrderTexts(file, i < len(files))
				if err != nil {
					return err
				}
				texts = append(texts, more...)
			}
			return measureOrders(a.Stdout, texts, f)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.ordinary, "ordinary", nil, "read ordinary texts from `FILE`; may be repeated")
	flags.StringVar(&f.write, "write", "", "train on all texts and write the model to `FILE`")
	flags.BoolVar(&f.held, "held", false, "judge each text with a model that was trained without its file and its author")
	flags.BoolVar(&f.list, "list", false, "also print the orders that are kept and the ordinary texts that are left out")
	flags.Float64Var(&f.weight, "weight", 20, "give an order this training `WEIGHT`; an ordinary sentence has weight 1")
	return cmd
}

const orderPenalty = 2

type orderText struct {
	row, source string
	order       bool
	sentences   []string // the filter leaves out the whole text if it leaves out one of them
}

func readOrderTexts(file string, orders bool) ([]orderText, error) {
	name := filepath.Base(file)
	var out []orderText
	language := ""
	err := bench.EachLine(file, func(n int, line []byte) error {
		switch {
		case line[0] == '#':
		case strings.Contains(name, ".jsonl"):
			var skill struct{ ID, Description, Source string }
			if err := json.Unmarshal(line, &skill); err != nil {
				return err
			}
			skill.Source = cmp.Or(skill.Source, skill.ID)
			out = append(out, orderText{name, skill.Source, false, neutral.Judged(skill.Description)})
		case line[0] == '[' && len(line) < 8:
			language = " " + strings.Trim(string(line), "[]")
		case orders:
			out = append(out, orderText{name + language, file, true, []string{string(line)}})
		default:
			out = append(out, orderText{name + language, fmt.Sprint(name, n), false, neutral.Judged(string(line))})
		}
		return nil
	})
	return out, err
}

func measureOrders(w io.Writer, texts []orderText, f ordersFlags) error {
	isOrder := func(_ orderText, s string) bool { return neutral.Text(s, len(s)) == "" }
	if f.held {
		models := map[string]tune.OrderModel{}
		part := func(t orderText) string {
			if t.order {
				return t.source
			}
			return fmt.Sprint(fold(t.source) % 5)
		}
		isOrder = func(t orderText, s string) bool {
			p := part(t)
			m, ok := models[p]
			if !ok {
				m = fitOrders(texts, f, func(t orderText) bool { return part(t) != p })
				models[p] = m
			}
			return m.Score(s) > 0
		}
	}
	var rows []string
	all, found := map[string]int{}, map[string]int{}
	var list []string
	for _, t := range texts {
		if all[t.row] == 0 {
			rows = append(rows, t.row)
		}
		all[t.row]++
		at := slices.IndexFunc(t.sentences, func(s string) bool { return isOrder(t, s) })
		if at >= 0 {
			found[t.row]++
		}
		switch {
		case t.order && at < 0:
			list = append(list, fmt.Sprintf("%s: kept: %s", t.row, t.sentences[0]))
		case !t.order && at >= 0:
			list = append(list, fmt.Sprintf("%s: left out: %s", t.row, t.sentences[at]))
		}
	}
	out := app.NewTable("texts", "all", "left out", "share")
	for _, row := range rows {
		out.AppendRow(table.Row{row, all[row], found[row], fmt.Sprintf("%.4f", float64(found[row])/float64(all[row]))})
	}
	if err := app.WriteTable(w, out); err != nil {
		return err
	}
	if f.list {
		fmt.Fprintln(w, strings.Join(list, "\n"))
	}
	if f.write == "" {
		return nil
	}
	m := fitOrders(texts, f, func(orderText) bool { return true })
	return os.WriteFile(f.write, m.Pack(), 0o644)
}

func fitOrders(texts []orderText, f ordersFlags, use func(orderText) bool) tune.OrderModel {
	var sentences []tune.Sentence
	for _, t := range texts {
		if use(t) {
			for _, s := range t.sentences {
				sentences = append(sentences, tune.Sentence{Text: s, Order: t.order})
			}
		}
	}
	m := tune.FitOrders(sentences, f.weight, orderPenalty)
	return m
}
