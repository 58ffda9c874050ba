package synonyms

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/synonyms/terms"
	"github.com/skillgate/skillgate/triage"
)

func newExplain(a *app.App) *cobra.Command {
	var asJSON bool
	var libraries []string
	cmd := &cobra.Command{
		Use:   "explain PROMPT...",
		Short: "Show how each word of a prompt is interpreted",
		Long: `explain prints, for each searched word of a prompt, its headword without particles
and endings, its English senses, and the search terms with the number of skills that
contain each. Korean typed in English keyboard mode is converted, and English phrases
are replaced by the words that descriptions use. Words that are missing from the
output, such as "그리고", are not searched.`,
		Example: `  skillgate synonyms explain 배포한 다음에 슬랙으로 알려줘
  skillgate synonyms explain --library ./skills "spin up a box and run dprtpf"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := a.OpenHere(cmd.Context(), libraries)
			if err != nil {
				return err
			}
			defer g.Close()
			out, err := explain(cmd.Context(), g, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(out)
			}
			return printReadPrompt(a, out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.Flags().StringArrayVar(&libraries, "library", nil,
		"count the skills in `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	return cmd
}

type readWord struct {
	Text   string     `json:"text"` // as typed in the prompt
	As     string     `json:"as"`   // korean, unknown (Korean), wrong keyboard mode, phrase or english
	Word   string     `json:"word"` // headword, stem or phrase
	Senses []string   `json:"senses,omitempty"`
	Weight float64    `json:"weight"` // weight among the prompt's words
	Terms  []readTerm `json:"terms,omitempty"`
}

type readTerm struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"` // 1 for the prompt's own word
	Skills int     `json:"skills"` // number of skills with the term
}

type readPrompt struct {
	Prompt string     `json:"prompt"`
	Kind   string     `json:"kind"` // a triage.Kind; only prompts of the kind "search" are searched
	Skills int        `json:"skills"`
	Words  []readWord `json:"words"`
}

func explain(ctx context.Context, g *gate.Gate, prompt string) (readPrompt, error) {
	p := triage.Classify(secret.Redact(prompt))
	out := readPrompt{Prompt: p.Text, Kind: string(p.Kind), Skills: g.Documents(), Words: []readWord{}}
	res, err := g.Ranker().Search(ctx, g.Ranker().Parse(terms.Normal(p.Text)))
	if err != nil {
		return out, err
	}
	for _, c := range res.Query.Concepts {
		head, _, _ := strings.Cut(c.Text, "#") // a sense of several words has one concept per word: "단위#test"
		i := slices.IndexFunc(out.Words, func(w readWord) bool { return w.Text == c.Surface && w.Word == head })
		if i < 0 {
			i = len(out.Words)
			out.Words = append(out.Words, readWord{Text: c.Surface, As: kind(c), Word: head, Senses: g.Dict().Senses(head)})
		}
		w := &out.Words[i]
		w.Weight = max(w.Weight, c.Weight)
		for _, alt := range c.Alts {
			if !slices.ContainsFunc(w.Terms, func(t readTerm) bool { return t.Term == alt.Term }) {
				w.Terms = append(w.Terms, readTerm{alt.Term, alt.Weight, alt.Docs()})
			}
		}
	}
	return out, nil
}

func kind(c rank.Concept) string {
	switch {
	case c.Korean && len(c.Surface) == utf8.RuneCountInString(c.Surface):
		return "wrong keyboard mode"
	case c.Korean && !c.Known:
		return "unknown"
	case c.Korean:
		return "korean"
	case strings.Contains(c.Surface, " "):
		return "phrase"
	}
	return "english"
}

func printReadPrompt(a *app.App, p readPrompt) error {
	if p.Kind != string(triage.Search) {
		fmt.Fprintf(a.Stdout, "the hook does not search for this prompt; its kind is %s\n", p.Kind)
	}
	t := app.NewTable("word", "kind", "base form", "senses", "weight",
		fmt.Sprintf("searched terms (skills with the term, out of %d)", p.Skills))
	for _, w := range p.Words {
		var found []string
		for _, term := range w.Terms {
			found = append(found, fmt.Sprintf("%s (%d)", term.Term, term.Skills))
		}
		t.AppendRow(table.Row{w.Text, w.As, w.Word, strings.Join(w.Senses, ", "), fmt.Sprintf("%.2f", w.Weight),
			strings.Join(found, ", ")})
	}
	return a.PrintTable(t)
}
