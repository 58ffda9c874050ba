package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/bench"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/synonyms"
)

func newCommonCommand(a *app.App) *cobra.Command {
	const (
		sources = 3 // minimum number of sources of a phrase
		words   = 6 // maximum number of words in a phrase
	)
	var out string
	cmd := &cobra.Command{
		Use:   "common FILE...",
		Short: "Collect the phrases that are common in prompts",
		Long: `common reads prompts that people typed (files of cases or sessions) and writes the
hashes of words and phrases that several sources use, one on each line. Ranking ignores
them as triggers, so that no skill can claim a phrase such as "go on". Prompts that need
a skill are left out.`,
		Example: `  skillgate-dev common --out gate/rank/common.txt bench/people/needs_nothing.jsonl bench/people/*.gz`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			sourcesByHash := map[string]map[string]bool{}
			analyzer := index.NewAnalyzer(synonyms.Default())
			for _, file := range files {
				cases, err := bench.ReadCases(file, "")
				if err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
				for _, c := range cases {
					if c.Need == bench.Skill {
						continue
					}
					for _, term := range runs(analyzer, c.Query, words) {
						if sourcesByHash[term] == nil {
							sourcesByHash[term] = map[string]bool{}
						}
						sourcesByHash[term][c.Source] = true
					}
				}
			}
			maps.DeleteFunc(sourcesByHash, func(_ string, by map[string]bool) bool { return len(by) < sources })
			text := strings.Join(slices.Sorted(maps.Keys(sourcesByHash)), "\n") + "\n"
			fmt.Fprintf(a.Stderr, "%d phrases\n", len(sourcesByHash))
			return os.WriteFile(out, []byte(text), 0o644)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "common.txt", "write the hashes of the phrases to `FILE`")
	return cmd
}

func runs(a *index.Analyzer, text string, words int) []string {
	var out []string
	tokens := index.PhraseTokens(a.Tokens(text))
	for i := range tokens {
		for j := i + 1; j <= min(i+words, len(tokens)); j++ {
			out = append(out, index.PhraseTerm(tokens[i:j]))
		}
	}
	fields := strings.Fields(text)
	for i := range fields {
		for j := i + 2; j <= min(i+words, len(fields)); j++ {
			run := strings.Join(fields[i:j], " ")
			if term, _ := index.WholeTerm(run, index.PhraseTokens(a.Tokens(run))); term != "" {
				out = append(out, term)
			}
		}
	}
	return out
}
