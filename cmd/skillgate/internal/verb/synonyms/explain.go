package synonyms

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate"
	"github.com/skillgate/skillgate/gate/index"
	"github.com/skillgate/skillgate/gate/rank"
	"github.com/skillgate/skillgate/gate/secret"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/terms"
	"github.com/skillgate/skillgate/triage"
)

// How a word of a prompt was read.
const (
	readKorean  = "korean"        // a headword of the dictionary
	readGeneral = "general"       // a headword that says little
	readPart    = "part"          // a word of the compound before it
	readUnknown = "unknown"       // Korean that the dictionary lacks, without its particles
	readSlip    = "keyboard slip" // Korean typed with the keyboard in English
	readEnglish = "english"
	readIdent   = "identifier"
	readHan     = "han"
	readPhrase  = "phrase" // an English phrase that descriptions call otherwise
	readNothing = "nothing"
)

// readWord is one word as the gate reads it.
type readWord struct {
	Text   string     `json:"text"` // as the prompt has it, up to white space
	As     string     `json:"as"`   // see the constants above
	Word   string     `json:"word"` // headword, stem or phrase
	Senses []string   `json:"senses,omitempty"`
	Weight float64    `json:"weight"` // among the prompt's words
	Terms  []readTerm `json:"terms,omitempty"`
}

// readTerm is one index term that may name the word.
type readTerm struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"` // how surely it means the word
	Skills int     `json:"skills"` // documents with the term
}

// readPrompt is what `synonyms explain` prints.
type readPrompt struct {
	Prompt string     `json:"prompt"`
	Kind   string     `json:"kind"` // triage.Kind: only "search" is searched
	Skills int        `json:"skills"`
	Words  []readWord `json:"words"`
}

func newExplain(a *app.App) *cobra.Command {
	var asJSON bool
	var libraries []string
	cmd := &cobra.Command{
		Use:   "explain PROMPT...",
		Short: "Show how each word of a prompt is read",
		Long: `explain prints, for each word of a prompt, what it was read as: the headword behind
its particles and endings, its English senses, and the terms that are searched
with the number of skills that hold each. It also shows English phrases and Korean
that was typed with the keyboard in English. Words without content give nothing.`,
		Example: `  skillgate synonyms explain 배포한 다음에 슬랙으로 알려줘
  skillgate synonyms explain --library ./skills "spin up a box and run dprtpf"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := a.OpenHere(cmd.Context(), libraries)
			if err != nil {
				return err
			}
			defer g.Close()
			out, err := explainPrompt(cmd.Context(), g, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(out)
			}
			return printReadPrompt(a, out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().StringArrayVar(&libraries, "library", nil,
		"count in this `PATH` (folder, .jsonl or .jsonl.gz) instead of the installed skills; may be repeated")
	return cmd
}

// explainPrompt reads a prompt as the gate does.
func explainPrompt(ctx context.Context, g *gate.Gate, prompt string) (readPrompt, error) {
	p := triage.Classify(secret.Redact(prompt))
	out := readPrompt{Prompt: p.Text, Kind: string(p.Kind), Skills: g.Skills(), Words: []readWord{}}
	text := terms.Normal(gate.SearchText(p.Text))
	res, err := g.Ranker().Search(ctx, g.Ranker().Parse(text))
	if err != nil {
		return out, err
	}
	r := reader{dict: g.Dict(), text: text, concepts: res.Query.Concepts}
	r.read(index.NewAnalyzer(g.Dict()).Tokens(text))
	out.Words = r.words
	return out, nil
}

// reader joins the words of a text with the concepts that were searched for them.
type reader struct {
	dict     *synonyms.Dict
	text     string
	concepts []rank.Concept
	words    []readWord
}

func (r *reader) read(tokens analysis.TokenStream) {
	at := 0 // everything before is accounted for
	for i, tok := range tokens {
		r.nothing(at, tok.Start)
		start, end := r.eojeol(tok.Start, tok.End)
		at = max(at, end)
		w := readWord{Text: r.text[start:end], Word: string(tok.Term)}
		switch tok.Type {
		case index.KoreanToken, index.GeneralToken, index.PartToken:
			w.As = readKorean
			switch {
			case tok.Type == index.PartToken:
				w.As = readPart
			case tok.Type == index.GeneralToken:
				w.As = readGeneral
			case !tok.KeyWord:
				w.As = readUnknown
			}
			w.Senses = r.dict.Senses(w.Word)
		case analysis.Ideographic:
			w.As = readHan
		default:
			surface := r.text[tok.Start:tok.End]
			if hangul, ok := r.dict.FromKeys(surface); ok {
				if i == 0 || tokens[i-1].Start != tok.Start {
					r.slip(surface, hangul)
				}
				continue
			}
			w.As = readEnglish
			if tok.KeyWord {
				w.As = readIdent
			}
		}
		r.searched(&w)
		r.words = append(r.words, w)
	}
	r.nothing(at, len(r.text))
	for _, p := range r.dict.English(r.text) {
		for i, meaning := range p.Means {
			if slices.Contains(p.Means[:i], meaning) {
				continue
			}
			w := readWord{Text: r.text[p.Start:p.End], As: readPhrase, Word: meaning}
			for word := range strings.FieldsSeq(meaning) {
				one := readWord{Word: word}
				r.searched(&one)
				w.Weight = max(w.Weight, one.Weight)
				w.Terms = append(w.Terms, one.Terms...)
			}
			if len(w.Terms) > 0 { // else another spelling of a word that stands above
				r.words = append(r.words, w)
			}
		}
	}
}

// slip adds the words of Korean typed in English.
func (r *reader) slip(surface, hangul string) {
	for _, word := range r.dict.Words(hangul) {
		w := readWord{Text: surface, As: readSlip, Word: word.Text, Senses: r.dict.Senses(word.Text)}
		r.searched(&w)
		r.words = append(r.words, w)
	}
}

// searched fills in what was searched for a word: the concept of that text, or the
// concepts that share a word of several senses ("단위#test").
func (r *reader) searched(w *readWord) {
	seen := map[string]bool{}
	for i := range r.concepts {
		c := &r.concepts[i]
		head, _, _ := strings.Cut(c.Text, "#")
		if c.Text != w.Word && (!c.Korean || head != w.Word) {
			continue
		}
		w.Weight = max(w.Weight, c.Weight)
		for j := range c.Alts {
			a := &c.Alts[j]
			if !seen[a.Term] {
				seen[a.Term] = true
				w.Terms = append(w.Terms, readTerm{a.Term, a.Weight, a.Docs()})
			}
		}
	}
}

// eojeol widens a place of the text to the white space around it.
func (r *reader) eojeol(start, end int) (int, int) {
	if i := strings.LastIndexFunc(r.text[:start], unicode.IsSpace); i >= 0 {
		start = i + 1
	} else {
		start = 0
	}
	if i := strings.IndexFunc(r.text[end:], unicode.IsSpace); i >= 0 {
		end += i
	} else {
		end = len(r.text)
	}
	return start, end
}

// nothing adds the words between two places that gave no term.
func (r *reader) nothing(from, to int) {
	if from >= to {
		return
	}
	for word := range strings.FieldsSeq(r.text[from:to]) {
		if strings.IndexFunc(word, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) >= 0 {
			r.words = append(r.words, readWord{Text: word, As: readNothing})
		}
	}
}

func printReadPrompt(a *app.App, p readPrompt) error {
	if p.Kind != string(triage.Search) {
		fmt.Fprintf(a.Stdout, "the hook does not search this prompt: %s\n", p.Kind)
	}
	t := app.NewTable()
	t.AppendHeader(table.Row{"word", "read as", "", "senses", "weight", fmt.Sprintf("searched terms (skills of %d)",
		p.Skills)})
	last := ""
	for _, w := range p.Words {
		text := w.Text
		if text == last {
			text = ""
		}
		last = w.Text
		var found []string
		for _, term := range w.Terms {
			found = append(found, fmt.Sprintf("%s (%d)", term.Term, term.Skills))
		}
		weight := ""
		if len(w.Terms) > 0 {
			weight = fmt.Sprintf("%.2f", w.Weight)
		}
		t.AppendRow(table.Row{text, w.As, w.Word, strings.Join(w.Senses, ", "), weight, strings.Join(found, ", ")})
	}
	return a.PrintTable(t)
}
