// Package synonyms is the commands that show and extend the dictionary.
package synonyms

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/skillgate/skillgate/cmd/internal/app"
	"github.com/skillgate/skillgate/gate/dirs"
	"github.com/skillgate/skillgate/gate/disk"
	"github.com/skillgate/skillgate/gate/wording"
	"github.com/skillgate/skillgate/gate/workspace"
	"github.com/skillgate/skillgate/synonyms"
	"github.com/skillgate/skillgate/synonyms/lang"
	"github.com/skillgate/skillgate/synonyms/source"
	"github.com/skillgate/skillgate/synonyms/terms"
)

// New returns the command with those below it.
func New(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "synonyms",
		Short: "Look at the Korean/English dictionary, and add to it",
		Long: `The dictionary joins Korean words with the English ones that skills are
described with, and English phrases with what descriptions call them. Your own
words are in synonyms.yaml in skillgate's config folder and come before the
built-in ones:

  korean:
    결재판: {en: [approval board], also: [결재 판]}
  spaceless: # words of languages that put no spaces between them
    稟議: {en: [approval request]}
  english:
    - {means: [code review], say: [eyeball my branch]}
    - {same: [kubernetes, kay eights]}`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newList(a), newAdd(a), newCheck(a), newExplain(a))
	return cmd
}

// Where an entry of the dictionary comes from.
const (
	ownEntry   = "yours"
	builtEntry = "built in"
)

// dictLayer is one dictionary and where it comes from.
type dictLayer struct {
	dict   *synonyms.Dict
	origin string
}

// dictLayers returns the user's dictionary, where there is one, above the built-in one.
func dictLayers(d dirs.Dirs) ([]dictLayer, error) {
	layers := []dictLayer{{synonyms.Default(), builtEntry}}
	data, err := workspace.CompileDict(workspace.DictFile(d))
	if err != nil || data == nil {
		return layers, err
	}
	user, err := synonyms.Open(string(data))
	if err != nil {
		return nil, fmt.Errorf("user synonyms: %w", err)
	}
	return append([]dictLayer{{user, ownEntry}}, layers...), nil
}

// listedWord is a line of `synonyms list`: a Korean headword with its senses, or
// an English phrase with what it means.
type listedWord struct {
	Word   string   `json:"word"`
	Senses []string `json:"senses"`
	Origin string   `json:"origin"` // "yours" or "built in"
}

func newList(a *app.App) *cobra.Command {
	var asJSON, own bool
	cmd := &cobra.Command{
		Use:   "list [WORD]",
		Short: "List headwords with their senses",
		Long: `list prints the Korean headwords with their English senses. A Korean WORD may
be inflected; for an English word or phrase it prints what the phrase means and
the Korean words that have it as a sense.`,
		Example: `  skillgate synonyms list 배포
  skillgate synonyms list deploy
  skillgate synonyms list --own`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := a.Places()
			if err != nil {
				return err
			}
			layers, err := dictLayers(d)
			if err != nil {
				return err
			}
			if own {
				layers = layers[:len(layers)-1]
			}
			found := []listedWord{}
			for _, l := range layers {
				if len(args) == 0 {
					found = append(found, allWords(l)...)
				} else {
					found = append(found, lookUp(l, args[0])...)
				}
			}
			if asJSON {
				return a.PrintJSON(found)
			}
			if len(found) == 0 && len(args) > 0 {
				return &app.Error{Code: app.StatusFindings, Err: fmt.Errorf("no entry for %q", args[0]),
					Hint: "`skillgate synonyms add WORD SENSE` adds one"}
			}
			t := app.NewTable("word", "senses", "from")
			for _, w := range found {
				t.AppendRow(table.Row{w.Word, strings.Join(w.Senses, ", "), w.Origin})
			}
			return a.PrintTable(t)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&own, "own", false, "only the entries of your synonyms.yaml")
	return cmd
}

func allWords(l dictLayer) []listedWord {
	var out []listedWord
	l.dict.Headwords(func(word string, senses []string) bool {
		out = append(out, listedWord{word, senses, l.origin})
		return true
	})
	return out
}

// lookUp returns what one dictionary says about a word.
func lookUp(l dictLayer, word string) []listedWord {
	var out []listedWord
	seen := map[string]bool{}
	add := func(head string, senses []string) {
		if len(senses) > 0 && !seen[head] {
			seen[head] = true
			out = append(out, listedWord{head, senses, l.origin})
		}
	}
	if of := lang.Of(word); of != nil && !of.Cased {
		add(word, l.dict.Senses(word))
		for _, w := range l.dict.Words(word) {
			add(w.Text, l.dict.Senses(w.Text))
		}
		return out
	}
	for _, p := range l.dict.English(word) {
		add(word[p.Start:p.End], p.Means)
	}
	for _, head := range l.dict.Korean(terms.Joined(word)) {
		add(head, l.dict.Senses(head))
	}
	return out
}

// checkedFile is what `synonyms check` says about a file.
type checkedFile struct {
	File     string           `json:"file"`
	Words    int              `json:"words"`   // Korean headwords
	Phrases  int              `json:"phrases"` // English sets
	Problems []checkedProblem `json:"problems"`
}

type checkedProblem struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

func newCheck(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a dictionary file",
		Long: `check reads your synonyms.yaml, or FILE, and lists words that are given twice,
senses that are not in base form, and phrases that lead back to themselves,
each with its line. Its exit status is 1 when there are any.`,
		Example: `  skillgate synonyms check
  skillgate synonyms check --json team-words.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := a.Places()
			if err != nil {
				return err
			}
			file := workspace.DictFile(d)
			if len(args) > 0 {
				file = args[0]
			}
			dict, err := workspace.ReadDict(file)
			if err != nil {
				return err
			}
			if dict == nil {
				if len(args) > 0 {
					return app.Usage("%s: no such file", file)
				}
				dict = &source.Dictionary{} // nothing is wrong with having none
			}
			c := checkedFile{File: file, Words: len(dict.Entries), Phrases: len(dict.Sets), Problems: []checkedProblem{}}
			for _, p := range dict.Check() {
				c.Problems = append(c.Problems, checkedProblem{p.File, p.Line, p.Text})
			}
			if asJSON {
				err = a.PrintJSON(c)
			} else {
				err = printCheckedFile(a, c)
			}
			if err == nil && len(c.Problems) > 0 {
				return app.ErrFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}

func printCheckedFile(a *app.App, c checkedFile) error {
	for _, p := range c.Problems {
		fmt.Fprintf(a.Stdout, "%s:%d: %s\n", p.File, p.Line, p.Text)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s: %s, %s, %s\n", c.File, wording.Count(c.Words, "Korean word"),
		wording.Count(c.Phrases, "English set"), wording.Count(len(c.Problems), "problem"))
	return err
}

// added is what `synonyms add` did.
type added struct {
	File     string   `json:"file"`
	Word     string   `json:"word"`
	Senses   []string `json:"senses"`
	Replaces []string `json:"replaces,omitempty"` // senses of the built-in entry that it replaces
}

func newAdd(a *app.App) *cobra.Command {
	var asJSON, generic bool
	var also []string
	cmd := &cobra.Command{
		Use:   "add WORD SENSE...",
		Short: "Add a Korean word with its English senses to your synonyms.yaml",
		Long: `add writes one entry to synonyms.yaml and keeps everything else in it, comments
included. Where the word is there already, the new senses come first. A noun is
given without particle, a verb in -다; a sense is one to three English words in
base form.`,
		Example: `  skillgate synonyms add 결재판 "approval board"
  skillgate synonyms add 갈아엎다 rewrite refactor --also 싹갈다`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := a.Places()
			if err != nil {
				return err
			}
			entry := source.Entry{Head: args[0], Senses: args[1:], Also: also, Generic: generic}
			result, err := addSynonym(d, entry)
			if err != nil {
				return err
			}
			if asJSON {
				return a.PrintJSON(result)
			}
			fmt.Fprintf(a.Stdout, "%s: %s = %s\n", result.File, result.Word, strings.Join(result.Senses, ", "))
			if len(result.Replaces) > 0 {
				fmt.Fprintf(a.Stdout, "it replaces the built-in entry: %s\n", strings.Join(result.Replaces, ", "))
			}
			_, err = fmt.Fprintln(a.Stdout, "run `skillgate index` to search with it now")
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was added as JSON")
	cmd.Flags().BoolVar(&generic, "generic", false, "the word says little about what is wanted")
	cmd.Flags().StringSliceVar(&also, "also", nil, "`SPELLING` or synonym of the word; repeatable or separated by commas")
	return cmd
}

// addSynonym writes an entry to the user's file. The file is replaced as a whole,
// or not at all where it would have problems.
func addSynonym(d dirs.Dirs, entry source.Entry) (added, error) {
	file := workspace.DictFile(d)
	text, err := workspace.ReadDictText(file)
	if err != nil {
		return added{}, err
	}
	out, err := source.Add(source.File{Name: file, Data: text}, entry)
	if bad := (*source.BadEntry)(nil); errors.As(err, &bad) {
		return added{}, app.Hint(err,
			"a noun without particle or a verb in -다, then one to three English words or phrases in base form")
	}
	if err != nil {
		return added{}, app.Hint(err, "correct the file first; `skillgate synonyms check` reads it again")
	}
	dict, err := workspace.CheckDict(file, out)
	if err != nil {
		return added{}, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return added{}, fmt.Errorf("synonyms: %w", err)
	}
	if err := disk.Write(file, out, disk.Options{Sync: true}); err != nil {
		return added{}, fmt.Errorf("synonyms: %w", err)
	}
	head := strings.Join(strings.Fields(entry.Head), " ")
	result := added{File: file, Word: head, Senses: entry.Senses, Replaces: synonyms.Default().Senses(head)}
	for _, e := range dict.Entries {
		if e.Head == head {
			result.Senses = e.Senses
		}
	}
	return result, nil
}
