package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/catalog/libraryfile"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/synonyms"
)

func newWordsCommand(a *app.App) *cobra.Command {
	const (
		sources = 3    // minimum number of sources of a word
		least   = 0.01 // minimum share of skills that contain the word
	)
	var out string
	cmd := &cobra.Command{
		Use:   "words LIBRARY...",
		Short: "Compute the share of skills that contain each word",
		Long: `words reads library files and writes the hashes of frequent Latin words with the share of
skills that contain them. A word must occur in skills of several sources (the first part
of an id). Ranking uses the shares to weigh words in small libraries.`,
		Example: `  skillgate-dev words --out gate/rank/words.txt bench/library-en.jsonl.gz`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			skills, total := map[string]int{}, 0
			owners := map[string][]string{} // owners by word, at most `sources` for each
			analyzer := index.NewAnalyzer(synonyms.Default())
			for _, file := range files {
				entries, err := libraryfile.Read(file)
				if err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
				for _, e := range entries {
					total++
					owner, _, _ := strings.Cut(e.ID, "/")
					terms := analyzer.Terms(strings.Join([]string{e.Name, e.Description, e.WhenToUse, e.Body}, "\n"))
					slices.Sort(terms)
					for _, term := range slices.Compact(terms) {
						skills[term]++
						if by := owners[term]; len(by) < sources && !slices.Contains(by, owner) {
							owners[term] = append(by, owner)
						}
					}
				}
			}
			var lines []string
			for term, n := range skills {
				if share := float64(n) / float64(total); share >= least && len(owners[term]) >= sources && term[0] < 0x80 {
					lines = append(lines, rank.WordShare(term, share)+"\n")
				}
			}
			slices.Sort(lines)
			fmt.Fprintf(a.Stderr, "%d words in %d skills\n", len(lines), total)
			return os.WriteFile(out, []byte(strings.Join(lines, "")), 0o644)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "words.txt", "write the words' hashes and shares to `FILE`")
	return cmd
}
